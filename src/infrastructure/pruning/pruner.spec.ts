import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Pruner } from './pruner.js';

describe('pruning', () => {
  let calls: string[];
  let pruner: Pruner;

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => {
    calls = [];
    pruner = new Pruner({ ROLES: ['worker'] });
  });

  const addStep = (name: string, batches: number) => {
    let left = batches;
    pruner.add(name, () => {
      calls.push(name);
      left -= 1;
      return Promise.resolve(left > 0);
    });
  };

  it('executes the steps in turn, each until nothing is left to delete', async () => {
    addStep('a', 3);
    addStep('b', 1);
    addStep('c', 2);
    while (await pruner.work());
    expect(calls).toEqual(['a', 'b', 'c', 'a', 'c', 'a']);
  });

  it('continues with the other steps when one fails, and retries it later', async () => {
    let failures = 0;
    pruner.add('faulty', () => {
      failures += 1;
      return Promise.reject(new Error('out of order'));
    });
    addStep('b', 2);
    while (await pruner.work());
    expect([failures, calls]).toEqual([1, ['b', 'b']]);
    await pruner.work();
    expect(failures).toBe(2);
  });

  it.each([['worker' as const], ['scheduler' as const]])(
    'runs in a process with the role %s',
    async (role) => {
      pruner = new Pruner({ ROLES: ['api', role] });
      addStep('a', 1);
      pruner.onApplicationBootstrap();
      await pruner.beforeApplicationShutdown();
      expect(calls).toEqual(['a']);
    },
  );

  it('starts with the process, and stops between two batches', async () => {
    const begun = new Promise<void>((begin) =>
      pruner.add('endless', async () => {
        begin();
        await nextTurn();
        return true;
      }),
    );
    pruner.onApplicationBootstrap();
    await begun;
    await pruner.beforeApplicationShutdown();
    addStep('b', 1);
    expect(await pruner.work()).toBe(false);
    expect(calls).toEqual([]);
  });

  it('does not run in processes that only serve the API', async () => {
    pruner = new Pruner({ ROLES: ['api'] });
    addStep('a', 1);
    pruner.onApplicationBootstrap();
    await pruner.beforeApplicationShutdown();
    expect(calls).toEqual([]);
  });
});
