import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';

const delays: number[] = [];
/** Ends waits at once, but never ends the eleventh, so that endless restarts fail the test instead of blocking it. */
const sleep = (ms: number): Promise<void> =>
  delays.push(ms) > 10 ? new Promise(() => undefined) : Promise.resolve();
jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: sleep }));
const { restartDelay, supervise } = await import('./supervisor.js');

/**
 * Fakes of the dependencies, limited to what is called here. Processes have no id, like those that cannot be started.
 */
type Options = Parameters<typeof supervise>[0];

describe('restartDelay', () => {
  it('grows, then gives up', () => {
    const all = Array.from({ length: 20 }, (_, n) => restartDelay(n)).filter((delay) => delay !== null);
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect(all.length).toBeLessThan(10);
  });
});

describe('a supervised process', () => {
  let children: EventEmitter[];
  let lines: string[];

  beforeEach(() => {
    children = [];
    lines = [];
    delays.length = 0;
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Supervises a process that becomes ready at its first start, and after restarts when `recovers`. */
  async function supervised(recovers: boolean, lastWords?: Options['lastWords']) {
    let giveUp: (error: Error) => void;
    const gaveUp = new Promise<Error>((resolve) => (giveUp = resolve));
    const process = await supervise({
      name: 'It',
      spawn: () => Promise.resolve(children[children.push(new EventEmitter()) - 1] as ChildProcess),
      ready: () =>
        recovers || children.length === 1 ? Promise.resolve() : Promise.reject(new Error('no answer')),
      log: (line: string) => lines.push(line),
      lastWords,
      onGaveUp: (error: Error) => giveUp(error),
    } as unknown as Options);
    return { process, gaveUp };
  }

  const endLast = (): void => void children.at(-1)!.emit('exit', 1, null);
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is abandoned after five unsuccessful restarts', async () => {
    const { gaveUp } = await supervised(false);
    endLast();
    expect((await gaveUp).message).toBe('no answer; 5 restarts failed');
    expect(delays).toEqual([250, 1_000, 4_000, 10_000, 30_000]);
    expect(lines[0]).toBe('It ended with code 1; restarting it in 0.25 s');
  });

  it('is reported with the last words of its log', async () => {
    const { gaveUp } = await supervised(false, () => Promise.resolve('the disk is full'));
    endLast();
    expect((await gaveUp).message).toBe('no answer (the disk is full); 5 restarts failed');
    expect(lines[0]).toBe('It ended with code 1 (the disk is full); restarting it in 0.25 s');
  });

  it('has its restart count reset after it was stable for a minute', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    await supervised(true);
    for (const end of [60_000, 120_001]) {
      now.mockReturnValue(end);
      endLast();
      await settled();
    }
    endLast();
    await settled();
    expect(delays).toEqual([250, 250, 1_000]);
  });

  it('is not restarted when it ends because it is stopped', async () => {
    const { process } = await supervised(true);
    await process.stop();
    endLast();
    await settled();
    expect([children.length, delays]).toEqual([1, []]);
  });
});
