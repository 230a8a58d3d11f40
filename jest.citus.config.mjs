import base from './jest.config.mjs';

/** The service on the Citus cluster whose coordinator `CITUS_DATABASE_URL` names: `npm run test:citus`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/citus/**/*.spec.js',
    '<rootDir>/test/e2e/**/*.spec.js',
    '<rootDir>/test/isolation/operations.spec.js',
    // Those that store, read or delete distributed rows.
    ...[
      'alert-digests',
      'alert-search-agreement',
      'alerts-webhooks',
      'analyzed-import',
      'batch-writing',
      'case-of-authors',
      'datasets',
      'dump-import',
      'erasures',
      'exports-of-matches',
      'feeds',
      'folded-stories',
      'full-view',
      'matches',
      'pruning',
      'pseudonyms',
      'repeated-filters',
      'restored-database',
      'schedules',
      'schedules-claiming',
      'score-history',
      'search-query',
      'search-stream',
      'segments',
      'signed-post',
      'spike-alerts',
      'stream-accounts',
      'suggestions',
      'workspace-deletion',
      'workspace-keywords',
    ].map((name) => `<rootDir>/test/integration/${name}.spec.js`),
    '<rootDir>/test/recordings/recorded-sites-jobs.spec.js',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/support/cluster-setup.js',
  // One spec crashes the servers that all share.
  maxWorkers: 1,
};
