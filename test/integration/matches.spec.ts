import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import type { MatchPageDto } from '../../src/alerts/triage/match.dto.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const JOB = '00000000-0000-4000-8000-000000000009';

const service = await startTestApplication({ ROLES: 'api' });

describe('the matches of a workspace', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
    await fill(workspace);
  });

  /** Three posts and two comments that an alert matches. */
  async function fill({ workspaceId }: TestWorkspace): Promise<void> {
    await service.get(AlertsService).create(workspaceId, { name: 'a', query: 'rust', of: 'all' });
    const posts = [1, 2, 3].map((number) => ({ ...aPost(number), title: 'Rust' }));
    const comments = [1, 2].map((number) => aComment(number, { body: 'Rust' }));
    await service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts, comments }, null, tx);
    });
  }
  const list = (query = '', of = workspace) => call<MatchPageDto>(service, of, 'GET', `/matches${query}`);
  const bulk = async (body: object) =>
    (await call<{ changed: number }>(service, workspace, 'POST', '/matches/bulk', body)).changed;

  it('are posts and comments, each on one page', async () => {
    const shown: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await list(`?limit=2&cursor=${cursor}`);
      expect(page).toMatchObject({ total: 5, counts: { new: 5, seen: 0, kept: 0, dismissed: 0 } });
      shown.push(...page.matches.map(({ post, comment }) => post?.id ?? comment!.comment_id));
      if (!page.has_more) break;
      cursor = page.cursor;
    }
    expect(shown.sort()).toEqual(['t1_000001', 't1_000002', ...[1, 2, 3].map((n) => aPost(n).id)]);
  });

  it('change one by one', async () => {
    const { matches } = await list('?of=comments');
    const id = matches[0]!.id;
    const change = { state: 'kept', labels: ['b', 'a', 'b'], note: 'Later' };
    expect(await call(service, workspace, 'PATCH', `/matches/${id}`, change)).toMatchObject({
      id,
      state: 'kept',
      labels: ['a', 'b'],
      note: 'Later',
      comment: { body: 'Rust' },
    });
    expect((await list('?state=kept&label=a')).matches.map((match) => match.id)).toEqual([id]);
  });

  it('change by a filter, each counted once', async () => {
    const change = {
      filter: { of: 'posts' },
      state: 'seen',
      add_labels: ['read', 'x'],
      remove_labels: ['x'],
    };
    expect([await bulk(change), await bulk(change)]).toEqual([3, 0]);
    const counts = { new: 2, seen: 3, kept: 0, dismissed: 0 };
    for (const [query, total] of Object.entries({ '': 5, ...counts }))
      expect(await list(`?state=${query}`.replace(/\?state=$/, ''))).toMatchObject({ total, counts });
    expect(await list('?label=read&state=new')).toMatchObject({ total: 0, counts: { ...counts, new: 0 } });
  });

  it('change by ids, except those of another workspace', async () => {
    const other = await service.createWorkspace();
    await fill(other);
    const ids = [...(await list()).matches, ...(await list('', other)).matches].map(({ id }) => id);
    expect(await bulk({ ids, state: 'dismissed' })).toBe(5);
    expect((await list('', other)).counts.dismissed).toBe(0);
  });

  it('keep the number of their labels within the limit', async () => {
    const labels = Array.from({ length: 20 }, (_, number) => `label ${number}`);
    expect(await bulk({ filter: {}, add_labels: labels })).toBe(5);
    expect(await bulk({ filter: {}, add_labels: ['one more'] })).toBe(0);
  });

  it.each([{ state: 'seen' }, { ids: [JOB], filter: {}, state: 'seen' }, { ids: ['x'], state: 'seen' }])(
    'do not change by %j',
    async (body) => {
      await requestAs(service, workspace, 'POST', '/matches/bulk').send(body).expect(400);
    },
  );
});
