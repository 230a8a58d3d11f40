/** Jest runs the compiled tree, so that the output of the Swagger plugin is tested too. */
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
  runner: '<rootDir>/../test/runner.cjs',
  testEnvironment: '<rootDir>/../test/environment.cjs',
  // Loads packages once in a process, and own modules once in a test file.
  runtime: '<rootDir>/../test/runtime.cjs',
  // The compiled tree needs none.
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/support/close-opened.js'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  // The second names the skipped tests and the reasons.
  reporters: ['default', '<rootDir>/../test/skip-reporter.mjs'],
  // Ends what hangs; no test is expected to be that slow, whatever the machine.
  testTimeout: 120_000,
  // Twice the number of cores, because test files wait for servers half of the time. With three workers they take a
  // quarter longer.
  maxWorkers: 4,
  // Node.js 20 never frees the modules of a finished test file, so garbage collection takes longer and longer.
  workerIdleMemoryLimit: '1GB',
  // A worker with that much memory takes longer to exit than Jest's default of half a second.
  workerGracefulExitTimeout: 5_000,
};
