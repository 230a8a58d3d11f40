import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import * as metrics from 'prom-client';

/** Compiled tests run from `dist`. */
const require = createRequire(join(import.meta.dirname, '../../test/runtime.cjs'));
const Environment = require('./environment.cjs') as new (config: object) => { teardown: () => Promise<void> };
const { PACKAGES_WITH_STATE } = require('./package-state.cjs') as {
  PACKAGES_WITH_STATE: Record<string, (exported: object) => Promise<() => void>>;
};
const globals = globalThis as Record<string, unknown>;

describe('the globals of a test file', () => {
  async function during(change: () => void): Promise<void> {
    const environment = new Environment({ projectConfig: { fakeTimers: {} } });
    change();
    await environment.teardown();
  }

  it('are those of the process before it again after it', async () => {
    const { fetch, process } = globalThis;
    const { exit } = process;
    const folder = process.cwd();
    const listeners = process.rawListeners('SIGHUP');
    const variables = { ...process.env };
    await during(() => {
      globals['fetch'] = null;
      globals['ofATest'] = 1;
      process.exit = (() => undefined) as never;
      process.chdir('/');
      process.on('SIGHUP', () => undefined);
      process.env['OF_A_TEST'] = '1';
      delete process.env['PATH'];
    });
    expect(globalThis.fetch).toBe(fetch);
    expect(globals).not.toHaveProperty('ofATest');
    expect(process.exit).toBe(exit);
    expect(process.cwd()).toBe(folder);
    expect(process.rawListeners('SIGHUP')).toEqual(listeners);
    expect(process.env).toEqual(variables);
  });

  it('are also those of packages', () => {
    expect(new Logger()).toBeInstanceOf(Object);
    expect(runInThisContext('new Date()')).toBeInstanceOf(Date);
  });

  it('keep what Node.js itself needs while timers are fake', async () => {
    jest.useFakeTimers();
    try {
      const called = jest.fn();
      setImmediate(called);
      await new Promise<void>((resolve) => process.nextTick(resolve));
      expect(called).not.toHaveBeenCalled();
      jest.runAllTimers();
      expect(called).toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('modules of a test file', () => {
  it('use a mock of a module that was imported before', async () => {
    const before = await import('node:os');
    jest.unstable_mockModule('node:os', () => ({ hostname: () => 'mocked' }));
    expect((await import('node:os')).hostname()).toBe('mocked');
    expect(before.hostname()).not.toBe('mocked');
  });

  it('are the same for each import', async () => {
    expect(await import('./support/until.js')).toBe(await import('./support/until.js'));
  });
});

describe('what packages remember of a test file', () => {
  const forgetting = (name: string, exported: object) => PACKAGES_WITH_STATE[name]!(exported);

  it('is forgotten by the logger', async () => {
    const forget = await forgetting('@nestjs/common', { Logger });
    const log = jest.fn();
    Logger.overrideLogger({ log, error: log, warn: log });
    forget();
    const shown = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    Logger.log('a line');
    shown.mockRestore();
    expect(log).not.toHaveBeenCalled();
  });

  it('is forgotten by the registry of metrics', async () => {
    const forget = await forgetting('prom-client', metrics);
    new metrics.Counter({ name: 'of_a_test', help: 'x' });
    forget();
    expect(metrics.register.getSingleMetric('of_a_test')).toBeUndefined();
  });

  it.each(Object.keys(PACKAGES_WITH_STATE))('is forgotten by %s', async (name) => {
    const forget = await forgetting(name, (await import(name)) as object);
    expect(() => forget()).not.toThrow();
  });
});
