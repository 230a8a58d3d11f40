import base from './jest.config.mjs';

/** Long runs: generated searches and counts during writes, killed processes, failing answers, arbitrary requests, recorded walks. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*.spec.js'],
  testPathIgnorePatterns: ['/node_modules/'],
  // They kill processes and wait for leases: no more than cores.
  maxWorkers: 2,
};
