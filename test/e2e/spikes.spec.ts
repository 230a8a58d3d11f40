import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startWithClient } from '../support/contract.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 2, 1);
const HOURS = 24 * 20;
/** The hour of the spike, and the posts and comments in it. */
const SPIKE = 24 * 17 + 9;
const SPIKE_ROWS = 60;

interface Spikes {
  interval: string;
  spikes: {
    start: string;
    end: string;
    count: number;
    expected: number;
    score: number;
    top_keywords: { keyword: string; count: number }[];
    top_posts: { id: string }[];
  }[];
}

const { service, workspace, client } = await startWithClient();

describe('spikes', () => {
  const at = (hour: number): Date => new Date(START + hour * HOUR_MS + 60_000);

  beforeAll(async () => {
    const hours = Array.from({ length: HOURS }, (_, hour) => hour);
    const usual = hours.flatMap((hour) => [hour, hour, hour]);
    await storePosts(service, workspace.workspaceId, [
      ...usual.map((hour, n) => aPost(n, { createdUtc: at(hour), forum: 'usual', numComments: 1 })),
      ...Array.from({ length: SPIKE_ROWS }, (_, n) =>
        aPost(10_000 + n, {
          createdUtc: at(SPIKE),
          forum: 'spiking',
          keywords: ['battery', 'recall'],
          numComments: n,
        }),
      ),
    ]);
    await storeComments(service, workspace.workspaceId, [
      ...usual.map((hour, n) => aComment(n, { createdUtc: at(hour) })),
      ...Array.from({ length: SPIKE_ROWS }, (_, n) =>
        aComment(10_000 + n, { createdUtc: at(SPIKE), postId: n % 3 === 0 ? 't3_000002' : 't3_000003' }),
      ),
    ]);
  });

  const find = async (query: Record<string, string> = {}): Promise<Spikes> => {
    const { status, body } = await client.get<Spikes>(workspace.path('/analytics/spikes'), { query });
    expect(status).toBe(200);
    return body;
  };

  it('are found with the keywords and posts that distinguish them', async () => {
    const { spikes } = await find();
    expect(spikes).toHaveLength(1);
    const [spike] = spikes;
    expect(spike).toMatchObject({ start: new Date(START + SPIKE * HOUR_MS).toISOString() });
    expect(spike!.count).toBeGreaterThanOrEqual(SPIKE_ROWS);
    expect(spike!.expected).toBeLessThan(SPIKE_ROWS / 2);
    expect(spike!.score).toBeGreaterThan(4);
    expect(spike!.top_keywords[0]).toEqual({ keyword: 'recall', count: SPIKE_ROWS });
    const mostDiscussed = [59, 58, 57].map((n) => aPost(10_000 + n).id);
    expect(spike!.top_posts.map(({ id }) => id)).toEqual(mostDiscussed);
  });

  it('of comments name the posts with most of the comments', async () => {
    const { spikes } = await find({ of: 'comments' });
    expect(spikes).toHaveLength(1);
    expect(spikes[0]!.top_posts.map(({ id }) => id)).toEqual(['t3_000003', 't3_000002', 't3_000001']);
    expect(spikes[0]!.top_keywords).toEqual([]);
  });

  it('follow the filters, and learn from the time before the period', async () => {
    expect((await find({ forum: 'usual' })).spikes).toEqual([]);
    const created_after = new Date(START + (SPIKE - 1) * HOUR_MS).toISOString();
    expect((await find({ created_after })).spikes).toHaveLength(1);
    const later = new Date(START + (SPIKE + 24) * HOUR_MS).toISOString();
    expect((await find({ created_after: later })).spikes).toEqual([]);
    expect((await find({ created_before: '2020-01-01T00:00:00Z' })).spikes).toEqual([]);
    expect((await find({ q: 'nothing' })).spikes).toEqual([]);
  });

  it.each([
    [{ timezone: 'Mars' }, 'timezone'],
    [{ of: 'comments', post_type: 'self' }, 'post_type'],
  ])('refuse %j', async (query, field) => {
    const { status, body } = await client.get<{ errors: { field: string }[] }>(
      workspace.path('/analytics/spikes'),
      { query },
    );
    expect([status, body.errors.map((error) => error.field)]).toEqual([400, [field]]);
  });
});
