const { default: JestRunner } = require('jest-runner');

/** Runs test files one by one. Jest uses one runner after the other, in the order of their first files. */
module.exports = class extends JestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
};
