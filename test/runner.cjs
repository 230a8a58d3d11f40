const { default: TestRunner } = require('jest-runner');

/** How Jest says that Node.js itself broke off, which no test of a file does. */
const BROKE_OFF = /\bsignal=SIGSEGV\b/;

/** Jest's runner, which runs a file once more, and says so, when Node.js broke off during it. */
module.exports = class extends TestRunner {
  repeated = new Set();

  on(name, listener) {
    if (name !== 'test-file-failure') return super.on(name, listener);
    return super.on(name, (failure) => {
      const [test, error] = failure;
      if (!BROKE_OFF.test(error.message) || this.repeated.has(test)) return listener(failure);
      this.repeated.add(test);
      process.stderr.write(`Once more, because Node.js broke off: ${test.path}\n`);
    });
  }

  async runTests(tests, watcher, options) {
    await super.runTests(tests, watcher, options);
    if (this.repeated.size > 0) await super.runTests([...this.repeated], watcher, options);
  }
};
