import { DataSource } from 'typeorm';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { clusterUrls } from '../support/cluster.js';

interface History {
  history: { seen_at: string; score: number; upvote_ratio: number; num_comments: number }[];
}

const service = await startTestApplication();

describe('the score history of a post', () => {
  let workspace: TestWorkspace;
  beforeEach(async () => (workspace = await service.createWorkspace()));

  const store = async (scrapedAt: string, values: object): Promise<void> => {
    const posts = service.get(PostsRepository);
    const row = {
      ...aPost(0, { id: 't3_a' }),
      scrapedAt: new Date(scrapedAt),
      upvoteRatio: 0.5,
      numComments: 1,
      ...values,
    };
    await service.get(DataSource).transaction((tx) => posts.upsert(workspace.workspaceId, [row], tx));
  };
  const scores = async (): Promise<[string, number][]> => {
    const { history } = await call<History>(service, workspace, 'GET', '/posts/t3_a/history');
    return history.map(({ seen_at, score }) => [seen_at, score]);
  };
  const recently = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

  it('has the current values of a post that never changed', async () => {
    const at = recently(1);
    await store(at, { score: 3 });
    expect((await call<History>(service, workspace, 'GET', '/posts/t3_a/history')).history).toEqual([
      { seen_at: at, score: 3, upvote_ratio: 0.5, num_comments: 1 },
    ]);
  });

  it('has every time at which a value was seen to change, and no other', async () => {
    const times = [5, 4, 3, 2].map(recently);
    await store(times[0]!, { score: 3 });
    await store(times[1]!, { score: 5 });
    await store(times[2]!, { score: 5 });
    await store(times[3]!, { score: 5, numComments: 2 });
    expect(await scores()).toEqual([
      [times[0], 3],
      [times[1], 5],
      [times[3], 5],
    ]);
  });

  it('begins with the value before the first change in the workspace', async () => {
    const times = [5, 4, 3, 2].map(recently);
    await store(times[0]!, { score: 1 });
    await store(times[1]!, { score: 2 });
    workspace = await service.createWorkspace();
    await store(times[2]!, { score: 3 });
    await store(times[3]!, { score: 5 });
    expect(await scores()).toEqual([
      [times[2], 3],
      [times[3], 5],
    ]);
  });

  it('is thinned only in its own workspace', async () => {
    const [early, late] = ['2026-01-05T10:00:00.000Z', '2026-01-05T18:00:00.000Z'] as const;
    const other = workspace;
    await store(early, { score: 1 });
    await store(late, { score: 2 });
    const kept = await service
      .get(DataSource)
      .query<unknown[]>('SELECT seen_at FROM post_scores WHERE workspace_id = $1', [other.workspaceId]);
    workspace = await service.createWorkspace();
    await store('2026-01-05T23:00:00.000Z', { score: 3 });
    await store(recently(2), { score: 4 });
    await store(recently(1), { score: 5 });
    workspace = other;
    expect(await scores()).toHaveLength(kept.length);
    // Citus executes the parts of the statement one after another, so that it thins what was just recorded.
    expect(kept).toHaveLength(clusterUrls() === null ? 2 : 1);
  });

  it('keeps the last of an hour after two days, and the last of a day after thirty', async () => {
    const old = ['2026-01-05T10:00:00.000Z', '2026-01-05T18:00:00.000Z', '2026-01-06T10:00:00.000Z'];
    for (const [at, time] of old.entries()) await store(time, { score: at });
    const week = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 7 * 86_400_000);
    const minutes = (count: number): string => new Date(week.getTime() + count * 60_000).toISOString();
    for (const count of [5, 10, 70]) await store(minutes(count), { score: 100 + count });
    const now = recently(0);
    await store(now, { score: 200 });
    expect(await scores()).toEqual([
      [old[1], 1],
      [old[2], 2],
      [minutes(10), 110],
      [minutes(70), 170],
      [now, 200],
    ]);
  });
});
