import { SystemClock } from '../../../common/clock.js';
import { ExecutionLog } from './execution-log.js';
import type { NewLogEntry } from './job-log.repository.js';

describe('ExecutionLog', () => {
  let stored: NewLogEntry[][];
  let failure: Error | null;
  let log: ExecutionLog;

  beforeEach(() => {
    stored = [];
    failure = null;
    log = new ExecutionLog('w', 'j', new SystemClock());
  });

  const flush = (): Promise<void> =>
    log.flush({
      append: (_w, _j, entries) => {
        stored.push([...entries]);
        return failure === null ? Promise.resolve() : Promise.reject(failure);
      },
    });
  const add = (count: number): void => {
    for (let n = 0; n < count; n += 1) log.add('info', 'posts_stored', `${n}`);
  };

  it('stores at most fifty entries at a time and counts the rest', async () => {
    add(53);
    await flush();
    expect(stored[0]).toHaveLength(51);
    expect(stored[0]!.at(-1)).toMatchObject({ event: 'entries_left_out', details: { count: 3 } });
    add(50);
    await flush();
    expect(stored[1]).toHaveLength(50);
  });

  it('stores nothing when nothing was added', async () => {
    await flush();
    add(1);
    await flush();
    await flush();
    expect(stored).toHaveLength(1);
  });

  it('continues after a failure, without the entries of the failed call', async () => {
    add(1);
    failure = new Error('away');
    await expect(flush()).rejects.toThrow('away');
    failure = null;
    add(2);
    await flush();
    expect(stored.map(({ length }) => length)).toEqual([1, 2]);
  });

  it('truncates messages to 500 characters', async () => {
    log.add('warn', 'media_left_out', 'x'.repeat(600));
    await flush();
    expect(stored[0]![0]!.message).toBe('x'.repeat(500));
  });
});
