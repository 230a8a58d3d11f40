import base from './jest.config.mjs';

/** The service on the Citus cluster whose coordinator `CITUS_DATABASE_URL` names: `npm run test:citus`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/citus/**/*.spec.js',
    '<rootDir>/test/e2e/**/*.spec.js',
    ...[
      'batch-writing',
      'dump-import',
      'erasures',
      'matches',
      'pruning',
      'restored-database',
      'schedules-claiming',
      'score-history',
      'search-stream',
      'segments',
      'workspace-deletion',
    ].map((name) => `<rootDir>/test/integration/${name}.spec.js`),
    '<rootDir>/test/recordings/recorded-sites-jobs.spec.js',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/support/cluster-setup.js',
  // One spec crashes the servers that all share.
  maxWorkers: 1,
};
