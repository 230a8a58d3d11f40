import type { StreamBatch } from '../stream-batch.js';
import type { PolledPage } from './polled-source.js';
import { paceOf, PollingStream } from './polling-stream.js';

const SECOND = 1_000;
/** The first pass begins ten minutes after this time. */
const START = Date.parse('2026-01-02T03:00:00Z');
const PAGE_SIZE = 2;

interface Item {
  id: string;
  /** Seconds after {@link START}. */
  at: number;
  text?: string;
}

/** Reads a list that changes from pass to pass; the last batch of each pass. */
async function passes(
  lists: readonly (readonly Item[])[],
  {
    position = String(START),
    isUnordered,
    givenAt,
  }: { position?: string; isUnordered?: true; givenAt?: number } = {},
): Promise<StreamBatch[]> {
  let [pass, now] = [-1, START + 600 * SECOND];
  const page = (after: string | null): Promise<PolledPage> => {
    if (after === null) pass += 1;
    const begin = Number(after ?? 0);
    const items = lists[pass]!.slice(begin, begin + PAGE_SIZE);
    const end = begin + PAGE_SIZE;
    return Promise.resolve({
      texts: items.map(({ id, at, text = '' }) => ({
        ...{ id, isComment: false, at: new Date(START + at * SECOND), createdUtc: new Date(0), forum: 'f' },
        ...{ title: '', text, author: 'a', flair: '', languages: [] },
      })),
      oldest: items.length === 0 ? null : START + items.at(-1)!.at * SECOND,
      next: end < lists[pass]!.length ? String(end) : null,
      ...(givenAt !== undefined && { givenAt }),
    });
  };
  const findGone = (ids: readonly string[]) => Promise.resolve(ids.filter((id) => id !== 'moved'));
  const rules = {
    everyMs: 0,
    lateMs: 300 * SECOND,
    maxPages: 3,
    findGone,
    ...(isUnordered && { isUnordered }),
  };
  const stream = new PollingStream({ lists: [page], ...rules }, () => now);
  const batches: StreamBatch[] = [];
  let last: StreamBatch | null = null;
  for await (const batch of stream.read(position, new AbortController().signal)) {
    if (batch.position === null || batch.newestAt === last?.newestAt) continue;
    last = batch;
    batches.push(batch);
    now += 20 * SECOND;
    if (batches.length === lists.length) break;
  }
  return batches;
}
const ids = (batches: readonly StreamBatch[]) => batches.map(({ texts }) => texts.map(({ id }) => id));

describe('a source that is read again and again', () => {
  it('gives what was written since the position, the oldest first, each text once', async () => {
    const first = [580, 400, 100, -5].map((at) => ({ id: `t${at}`, at }));
    const batches = await passes([first, [{ id: 't610', at: 610 }, ...first]]);
    expect(ids(batches)).toEqual([['t100', 't400', 't580'], ['t610']]);
    expect(batches[0]).toMatchObject({ position: String(START + 300 * SECOND) });
    expect(batches[0]).not.toHaveProperty('gap');
  });

  it('says when its pass began, or when its source gave what is still current', async () => {
    const lists = [[{ id: 'a', at: 590 }], [{ id: 'b', at: 600 }]];
    const times = async (given: object) => (await passes(lists, given)).map(({ readAt }) => readAt);
    expect(await times({})).toEqual([600, 620].map((at) => new Date(START + at * SECOND)));
    const givenAt = START + 610 * SECOND;
    expect(await times({ givenAt })).toEqual([600, 610].map((at) => new Date(START + at * SECOND)));
  });

  it('gives a text again that was edited, and reports those that are gone', async () => {
    const list = [
      { id: 'edited', at: 590 },
      { id: 'deleted', at: 580 },
      { id: 'moved', at: 570 },
    ];
    const edited = [{ id: 'edited', at: 590, text: 'new' }];
    const batches = await passes([list, edited, ...Array.from({ length: 9 }, () => edited)]);
    expect(ids(batches).flat()).toEqual(['moved', 'deleted', 'edited', 'edited']);
    const marks = batches.flatMap(({ texts }) => texts.map(({ isEdited }) => isEdited));
    expect(marks).toEqual([undefined, undefined, undefined, true]);
    expect(batches.flatMap(({ gone }) => gone)).toEqual(['deleted']);
  });

  it('says which time it did not read when there are more pages than its bound', async () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ id: `t${index}`, at: 500 - index * 50 }));
    const [batch] = await passes([many]);
    expect(batch!.gap).toMatchObject({ from: new Date(START), to: new Date(START + 250 * SECOND) });
    expect(batch!.gap!.reason).toContain('3 pages');
  });

  it('takes what appears with an older time only where a source is not in order', async () => {
    const lists = [
      [{ id: 'new', at: 550 }],
      [
        { id: 'new', at: 550 },
        { id: 'old', at: -9_000 },
      ],
    ];
    expect(ids(await passes(lists))).toEqual([['new'], []]);
    expect(ids(await passes(lists, { isUnordered: true }))).toEqual([['new'], ['old']]);
  });

  it('knows after a restart what a list without an order showed', async () => {
    const isUnordered = true;
    const [a, b, backdated] = [
      { id: 'a', at: 550 },
      { id: 'b', at: -50 },
      { id: 'c', at: -9_000 },
    ];
    const [first] = await passes([[a, b]], { isUnordered });
    expect(ids([first!])).toEqual([['a']]);
    const position = first!.position!;
    const [second] = await passes([[a, backdated]], { position, isUnordered });
    expect(ids([second!])).toEqual([['c']]);
    expect(second).not.toHaveProperty('gap');
    const [third] = await passes([[{ id: 'd', at: 900 }]], { position, isUnordered });
    expect(third).toMatchObject({ texts: [{ id: 'd' }], gap: { to: new Date(START + 900 * SECOND) } });
  });

  it('leaves most of a limit to others', () => {
    expect(paceOf({ requests: 1_500, withinMs: 600_000 }, 50)).toBe(20_000);
  });
});
