const { readFileSync } = require('node:fs');
const { dirname, extname, join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { compileFunction, SourceTextModule, SyntheticModule } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const { PACKAGES_WITH_STATE } = require('./package-state.cjs');

/** Modules that all test files of a process share: packages and those of Node.js, by the specifier that imports them. */
const shared = new Map();

/** What makes packages forget a test file. */
const forget = [];

/** A file, and the one that is read in its place: see scripts/mutants.mjs. */
const [replacedFile, replacement] = (process.env.REPLACED_MODULE ?? '').split('=');

/** The functions of Jest's own modules, which each test file calls again, by their paths. */
const frameworkFunctions = new Map();

/** A module that exports the properties of an object. */
const syntheticModule = (exported, identifier) =>
  new SyntheticModule(
    Object.keys(exported),
    function () {
      for (const [name, value] of Object.entries(exported)) this.setExport(name, value);
    },
    { identifier },
  );

/** The file that an import from another file names; null for packages and modules of Node.js. */
function fileOf(specifier, from) {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  if (specifier.startsWith('/')) return specifier;
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : null;
}

/** Whether each test file evaluates a file again. */
const isOwn = (file) => file !== null && /^\.m?js$/.test(extname(file)) && !file.includes('/node_modules/');

/**
 * Jest's runtime with two kinds of modules: the project's own ones are evaluated again by each test file, and packages
 * once in a process, by Node.js itself, because loading them took most of the time of most test files.
 */
module.exports = class extends JestRuntime {
  /** Own modules of this test file, by their paths. */
  own = new Map();
  mocks = new Map();
  /** Ends when all modules so far are linked; a module that two graphs link at once would stay unlinked in one of them. */
  linked = Promise.resolve();

  constructor(...args) {
    super(...args);
    this.executor.compile = (source, filename) => {
      if (!frameworkFunctions.has(filename))
        frameworkFunctions.set(
          filename,
          compileFunction(source, this.executor.injectedModuleParameters, { filename }),
        );
      return frameworkFunctions.get(filename);
    };
  }

  async unstable_importModule(from, specifier = from) {
    const module = await this.moduleOf(specifier, from);
    const linked = this.linked.then(async () => {
      if (module.status === 'unlinked')
        await module.link((name, { identifier }) => this.moduleOf(name, identifier));
    });
    this.linked = linked.catch(() => undefined);
    await linked;
    await module.evaluate();
    return module;
  }

  /** As for `jest.unstable_mockModule`: for what the test file imports from now on. */
  setModuleMock(from, specifier, factory) {
    const key = fileOf(specifier, from) ?? specifier;
    this.mocks.set(key, factory);
    this.own.delete(key);
  }

  moduleOf(specifier, from) {
    const file = fileOf(specifier, from);
    const key = file ?? specifier;
    const found = this.own.get(key);
    if (found !== undefined) return found;
    const module = this.mocks.has(key)
      ? Promise.resolve(this.mocks.get(key)()).then((exported) => syntheticModule(exported, key))
      : specifier === '@jest/globals'
        ? syntheticModule(this.jestGlobals.cjsGlobals(from), key)
        : isOwn(file)
          ? this.ownModule(file)
          : sharedModule(file === null ? specifier : pathToFileURL(file).href);
    // Each file has functions of its own to register mocks.
    if (specifier !== '@jest/globals') this.own.set(key, module);
    return module;
  }

  ownModule(file) {
    return new SourceTextModule(readFileSync(file === replacedFile ? replacement : file, 'utf8'), {
      identifier: file,
      initializeImportMeta: (meta) => {
        meta.url = pathToFileURL(file).href;
        meta.filename = file;
        meta.dirname = dirname(file);
      },
      importModuleDynamically: (specifier) => this.unstable_importModule(file, specifier),
    });
  }

  teardown() {
    super.teardown();
    this.own.clear();
    this.mocks.clear();
    for (const one of forget) one();
  }
};

function sharedModule(specifier) {
  if (!shared.has(specifier)) shared.set(specifier, loadShared(specifier));
  return shared.get(specifier);
}

async function loadShared(specifier) {
  const exported = await import(specifier);
  const forgetting = await PACKAGES_WITH_STATE[specifier]?.(exported);
  if (forgetting !== undefined) forget.push(forgetting);
  return syntheticModule(exported, specifier);
}
