import base from './jest.config.mjs';

/** Specs that need no server and take a moment: `npm run test:nodes` runs them on every supported version of Node.js. */
export default {
  ...base,
  testMatch: ['common', 'config', 'http'].map((folder) => `<rootDir>/src/${folder}/**/*.spec.js`),
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 1,
};
