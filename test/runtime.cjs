const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/**
 * Jest's runtime, but Node.js loads test files and what they import, so that the 3,000 modules of the service are loaded
 * once per worker and not once per test file. Test files that replace modules, or change what they cannot undo, begin with
 * `@jest-environment node` and get modules of their own from Jest's loader.
 */
module.exports = class extends Runtime {
  #shared;

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    this.#shared = environment.global === globalThis;
  }

  /** Jest's code that runs the tests, again for each test file, because it stores their state in its modules. */
  requireInternalModule(from, to) {
    if (!this.#shared) return super.requireInternalModule(from, to);
    const load = createRequire(from);
    const path = load.resolve(to ?? from);
    delete require.cache[path];
    return load(path);
  }

  unstable_importModule(from, name) {
    return this.#shared ? import(from) : super.unstable_importModule(from, name);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    if (this.#shared) globalThis.jest = this.jestGlobals.jestObjectFor(this._testPath);
  }
};
