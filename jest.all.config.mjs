import { project, run } from './jest.config.mjs';
import faults from './jest.faults.config.mjs';

/** Those that measure times and processor use, and therefore run one by one, after the others. */
const MEASURING = ['event-loop', 'fresh-rows'].map((name) => `<rootDir>/test/faults/${name}.spec.js`);

/** All tests but those on a cluster, with the same servers: `npm run test:all`. */
export default {
  ...run,
  rootDir: project.rootDir,
  projects: [
    {
      ...project,
      testPathIgnorePatterns: [...faults.testPathIgnorePatterns, '<rootDir>/test/citus/', ...MEASURING],
    },
    {
      ...project,
      testMatch: MEASURING,
      testPathIgnorePatterns: faults.testPathIgnorePatterns,
      runner: '<rootDir>/../test/one-by-one-runner.cjs',
    },
  ],
  // That of the fault runs, since Jest has one for all.
  testTimeout: faults.testTimeout,
};
