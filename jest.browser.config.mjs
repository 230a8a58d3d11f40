import base from './jest.config.mjs';

/** The dashboard in a real browser, against the service on the synthetic platform. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*.spec.js'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
};
