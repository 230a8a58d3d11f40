import base from './jest.config.mjs';
import { FEW_ARBITRARY_REQUESTS, leftOutSince, specOf } from './scripts/lib/long-runs.mjs';

const leftOut = leftOutSince(process.env.CI_BASE);
const unrun = leftOut.filter((name) => name !== 'fuzz');
if (unrun.length > 0)
  process.stderr.write(`Not run, because nothing that they test has changed: ${unrun.join(', ')}\n`);
// The workers inherit the number.
if (leftOut.includes('fuzz')) process.env.FUZZ_REQUESTS ??= String(FEW_ARBITRARY_REQUESTS);

/**
 * Long runs: generated searches and counts during writes, killed processes, failing responses, arbitrary requests,
 * recorded walks. With the commit in `CI_BASE`, without those that no change since then makes necessary.
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*.spec.js'],
  testPathIgnorePatterns: ['/node_modules/', ...unrun.map((name) => `<rootDir>/${specOf(name)}`)],
  testTimeout: 400_000,
  // They kill processes and wait for leases, so no more workers than cores.
  maxWorkers: 2,
};
