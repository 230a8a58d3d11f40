import { Logger } from '@nestjs/common';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { DELETED } from '../../platforms/platform.js';
import { ContentRechecker } from './content-rechecker.js';
import { withFakes } from '../../../test/support/with-fakes.js';

const DAY_MS = 86_400_000;
const PASS = new Date('2026-06-30T12:00:00Z');
const NOW = new Date('2026-07-01T12:00:00Z');

describe('ContentRechecker', () => {
  let rows: (TimePosition & { title: string })[];
  let readAfter: TimePosition[];
  let lookedUp: string[][];
  let saved: object[];

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => {
    readAfter = [];
    lookedUp = [];
    saved = [];
  });

  const aRow = (number: number, title = 'A title') => ({
    time: new Date(PASS.getTime() - number).toISOString(),
    id: `t3_${number}`,
    title,
  });

  /** Rechecks a batch of posts in a pass that began at {@link PASS}. */
  function check(after: Partial<{ afterTime: string; afterId: string }> = {}): Promise<void> {
    const rechecker = withFakes(
      ContentRechecker,
      { save: (_w: string, _key: object, progress: object) => Promise.resolve(saved.push(progress)) },
      {
        listCreatedAfter: (_w: string, _prefix: string, position: TimePosition) => {
          readAfter.push(position);
          return Promise.resolve(rows);
        },
        summaries: (_w: string, ids: string[]) =>
          Promise.resolve(new Map(rows.filter(({ id }) => ids.includes(id)).map((row) => [row.id, row]))),
      },
      {},
      { forgetFiles: () => Promise.resolve(0) },
      {},
      { run: (_signal: AbortSignal, work: (tx: object) => Promise<unknown>) => work({}) },
      { now: () => NOW },
      { count: () => undefined },
    );
    const recheck = { workspaceId: 'w', source: 'reddit', kind: 'posts', passStartedAt: PASS, ...after };
    const lookup = {
      prefixes: { post: 't3_', comment: 't1_' },
      findGonePosts: (ids: string[]) => Promise.resolve((lookedUp.push(ids), [])),
    };
    return rechecker.check(
      { afterTime: null, afterId: null, ...recheck } as never,
      lookup as never,
      { now: NOW, intervalMs: 3 * DAY_MS },
      new AbortController().signal,
    );
  }

  it('starts a pass with content of the last 90 days, and continues after the last row', async () => {
    rows = [aRow(1)];
    await check();
    await check({ afterTime: 'later', afterId: 't3_9' });
    expect(readAfter).toEqual([
      { time: new Date(PASS.getTime() - 90 * DAY_MS).toISOString(), id: '' },
      { time: 'later', id: 't3_9' },
    ]);
  });

  it('does not recheck posts that were already overwritten', async () => {
    rows = [aRow(1), aRow(2, DELETED)];
    await check();
    rows = [aRow(2, DELETED)];
    await check();
    expect(lookedUp).toEqual([['t3_1']]);
  });

  it('continues at once after a full batch, otherwise after an interval', async () => {
    rows = Array.from({ length: 100 }, (_, index) => aRow(index));
    await check();
    const { time, id } = rows.at(-1)!;
    rows.pop();
    await check();
    expect(saved).toEqual([
      expect.objectContaining({
        dueAt: NOW,
        passStartedAt: PASS,
        afterTime: time,
        afterId: id,
        checked: 100,
      }),
      expect.objectContaining({
        dueAt: new Date(PASS.getTime() + 3 * DAY_MS),
        passStartedAt: null,
        afterTime: null,
        afterId: null,
        checked: 99,
      }),
    ]);
  });
});
