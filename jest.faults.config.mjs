import base from './jest.config.mjs';

/**
 * Long runs: generated searches and counts during writes, killed processes, failing responses, arbitrary requests,
 * recorded walks.
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*.spec.js'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 400_000,
  // They kill processes and wait for leases, so no more workers than cores.
  maxWorkers: 2,
};
