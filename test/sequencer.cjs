const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Seconds that long test files took, by their paths; written by `npm run times -- --write`. */
const SECONDS = JSON.parse(readFileSync(join(__dirname, 'file-seconds.json'), 'utf8'));

const pathOf = ({ path }) => path.replace(/^.*\/dist\//, '').replace(/\.js$/, '.ts');

/**
 * Long test files first, so that no worker is idle while another one begins a long file. Those with a runner of their
 * own come last, since Jest uses the runners in the order of their first files.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const ranked = tests.map((test) => ({
      test,
      isLast: test.context.config.runner.endsWith('one-by-one-runner.cjs') ? 1 : 0,
      seconds: SECONDS[pathOf(test)] ?? 0,
    }));
    ranked.sort((a, b) => a.isLast - b.isLast || b.seconds - a.seconds);
    return ranked.map(({ test }) => test);
  }
};
