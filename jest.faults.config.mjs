import base from './jest.config.mjs';

/** The workers of Jest inherit it. */
process.env.FUZZ_REQUESTS ??= '10000';

/** Long runs: killed processes, failing answers, and the fuzz test with all its requests. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*.spec.js', '<rootDir>/test/e2e/interface/fuzz.spec.js'],
  testPathIgnorePatterns: ['/node_modules/'],
  // They kill processes and wait for leases: no more than cores.
  maxWorkers: 2,
};
