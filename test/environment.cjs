const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/**
 * Jest's environment for test files that run among the globals of the process, as the packages that they share do. What
 * a test file changes there is undone after it.
 */
module.exports = class {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.before = stateOfProcess();
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalsWithFakeProcess() });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Only has to be an object: the runtime compiles without it. */
  getVmContext() {
    return globalThis;
  }

  async setup() {}

  /** What the test file opened is closed last; it fails when that does not succeed. */
  async handleTestEvent({ name }) {
    if (name !== 'run_finish') return;
    await withinLimit(globalThis.closeOpenedByFile?.());
    const left = [...listeningServers()].filter((server) => !this.before.servers.has(server));
    if (left.length > 0) throw new Error(`The tests left ${left.length} servers that listen`);
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    restore(this.before);
  }
};

const CLOSING_MS = 60_000;
/** The real ones, also when the test file has replaced them. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** Rejects when work does not end in time. */
function withinLimit(work) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = startTimer(() => reject(new Error(`Closing took longer than ${CLOSING_MS} ms`)), CLOSING_MS);
  });
  return Promise.race([work, limit]).finally(() => stopTimer(timer));
}

/** Fake timers replace functions of `process` too, but those of the real one are needed by Node.js itself. */
const globalsWithFakeProcess = () => {
  const fake = Object.create(process);
  return new Proxy(globalThis, {
    get: (target, name) => (name === 'process' ? fake : Reflect.get(target, name)),
  });
};

const ownDescriptors = (target) =>
  new Map(Reflect.ownKeys(target).map((name) => [name, Reflect.getOwnPropertyDescriptor(target, name)]));

/** Servers of this process that accept connections. */
const listeningServers = () => new Set(process._getActiveHandles().filter(({ listening }) => listening));

const stateOfProcess = () => ({
  servers: listeningServers(),
  globals: ownDescriptors(globalThis),
  environment: { ...process.env },
  folder: process.cwd(),
  exit: process.exit,
  listeners: new Map(process.eventNames().map((name) => [name, process.rawListeners(name)])),
});

function restore({ globals, environment, folder, exit, listeners }) {
  for (const [name, { value }] of ownDescriptors(globalThis)) {
    const before = globals.get(name);
    if (before === undefined) delete globalThis[name];
    else if ('value' in before && before.value !== value) Object.defineProperty(globalThis, name, before);
  }
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  if (process.cwd() !== folder) process.chdir(folder);
  process.exit = exit;
  for (const name of process.eventNames())
    for (const listener of process.rawListeners(name))
      if (!listeners.get(name)?.includes(listener)) process.removeListener(name, listener);
}
