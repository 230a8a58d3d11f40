import base from './jest.config.mjs';

/** The command line as users see it: services started by `npm start`, the documentation's blocks, `npm run workspace`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/programs/**/*.spec.js'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
  // Each test file starts several processes.
  maxWorkers: 2,
};
