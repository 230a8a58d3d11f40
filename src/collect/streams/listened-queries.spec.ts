import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { StreamText } from '../../platforms/stream-batch.js';
import type { Listener } from '../../tenants/ports/listeners.js';
import { withFakes } from '../../../test/support/with-fakes.js';
import { ListenedQueries } from './listened-queries.js';
import { SourceQueries } from './source-queries.js';

/** More than may change before all queries are compiled again. */
const MANY = 1_001;

const listener = (id: string, query: string): Listener => ({
  ...{ workspaceId: 'a', id, listen: ['bluesky'], of: 'all', keywords: [], query, forums: [] },
});

const many = (query: string): Listener[] =>
  Array.from({ length: MANY }, (_, id) => listener(String(id), query));

const text = (body: string): StreamText => ({
  ...{ id: 'bsky_1', isComment: false, at: new Date(0), forum: 'bluesky', title: '', text: body },
  ...{ author: 'ann', createdUtc: new Date(0), flair: '', languages: ['en'] },
});

describe('queries that listen', () => {
  let time: number;
  let listeners: Listener[];
  let queries: ListenedQueries;

  /** The number of listeners that a text concerns. */
  const found = async (body: string): Promise<number> => {
    const { heard } = (await queries.of('bluesky')).match(text(body));
    return heard.flatMap(({ listenerIds }) => listenerIds).length;
  };

  beforeEach(() => {
    time = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => time);
    listeners = [listener('1', 'battery')];
    queries = withFakes(
      ListenedQueries,
      { version: () => JSON.stringify(listeners), list: () => listeners },
      { ids: [], has: () => false },
      { set: () => Promise.resolve() },
      { searches: () => [] },
    );
  });

  afterEach(() => jest.restoreAllMocks());

  it('follow changed listeners after a second', async () => {
    expect(await found('battery')).toBe(1);
    listeners = [listener('1', 'charger')];
    time = 999;
    expect(await found('battery')).toBe(1);
    time = 1_000;
    expect(await found('battery')).toBe(0);
    expect(await found('charger')).toBe(1);
  });

  it('are compiled again in the background, with the changes of meanwhile', async () => {
    listeners = many('battery');
    expect(await found('battery')).toBe(MANY);
    const compile = SourceQueries.compile.bind(SourceQueries);
    const begun: (() => void)[] = [];
    jest.spyOn(SourceQueries, 'compile').mockImplementation(async (wanted) => {
      await new Promise<void>((resolve) => begun.push(resolve));
      return compile(wanted);
    });
    listeners = many('charger');
    time = 1_000;
    expect(await found('charger')).toBe(MANY);
    while (begun.length === 0) await setImmediate();
    listeners = [...many('charger'), listener('last', 'solar')];
    time = 2_000;
    expect(await found('solar')).toBe(1);
    expect((await queries.of('bluesky')).isWorn).toBe(true);
    begun[0]!();
    while ((await queries.of('bluesky')).isWorn) await setImmediate();
    expect(await found('charger solar')).toBe(MANY + 1);
    expect(await found('battery')).toBe(0);
    expect(begun).toHaveLength(1);
  });

  it('are compiled again after they could not be', async () => {
    jest.spyOn(SourceQueries, 'compile').mockRejectedValueOnce(new Error('out of memory'));
    await expect(queries.of('bluesky')).rejects.toThrow('out of memory');
    expect(await found('battery')).toBe(1);
  });
});
