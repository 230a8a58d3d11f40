import base from './jest.config.mjs';
import { FEW_ARBITRARY_REQUESTS, leftOutSince, specOf } from './scripts/lib/long-runs.mjs';

const isNamed = (name) => process.argv.slice(2).some((argument) => argument.includes(name));
const leftOut = leftOutSince(process.env.CI_BASE).filter((name) => !isNamed(name));
const unrun = leftOut.filter((name) => name !== 'fuzz');
if (unrun.length > 0)
  process.stderr.write(`Left to npm run test:long, with those that a change needs: ${unrun.join(', ')}\n`);
// The workers inherit the number.
if (leftOut.includes('fuzz')) process.env.FUZZ_REQUESTS ??= String(FEW_ARBITRARY_REQUESTS);

/**
 * Long runs: generated searches and counts during writes, killed processes, failing responses, arbitrary requests,
 * recorded walks. Of those of the table in scripts/lib/long-runs.mjs, only the ones that a change since the commit in
 * `CI_BASE` makes necessary, and those that the command names.
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*.spec.js'],
  testPathIgnorePatterns: ['/node_modules/', ...unrun.map((name) => `<rootDir>/${specOf(name)}`)],
  testTimeout: 400_000,
  // They kill processes and wait for leases, so no more workers than cores.
  maxWorkers: 2,
};
