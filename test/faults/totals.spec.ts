import fc from 'fast-check';
import { DataSource, type EntityManager } from 'typeorm';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';

const FORUMS = ['Technology', 'technology', 'chess', 'music'];

/** A change of data in a transaction that may be rolled back. */
type Change = (workspaceId: string, tx: EntityManager) => Promise<unknown>;

const someNumbers = fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 20 });

const service = await startTestApplication();
const dataSource = service.app.get(DataSource);

describe('totals of posts and comments', () => {
  const read = <T>(workspace: TestWorkspace, path: string): Promise<T> =>
    call<T>(service, workspace, 'GET', path);

  const count = async (sql: string, workspaceId: string): Promise<number> =>
    (await dataSource.query<[{ n: number }]>(`SELECT count(*)::int AS n FROM ${sql}`, [workspaceId]))[0].n;

  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.tuple(someNumbers, fc.constantFrom(...FORUMS), fc.nat(10)).map(
      ([numbers, forum, score]): Change =>
        (workspaceId, tx) =>
          service.get(PostsRepository).upsert(
            workspaceId,
            numbers.map((number) => aPost(number, { forum, score })),
            tx,
          ),
    ),
    someNumbers.map(
      (numbers): Change =>
        (workspaceId, tx) =>
          service.get(CommentsRepository).upsert(
            workspaceId,
            numbers.map((number) => aComment(number)),
            tx,
          ),
    ),
    fc.constantFrom('posts', 'comments').chain((table) =>
      fc.nat(5).map(
        (remainder): Change =>
          (workspaceId, tx) =>
            tx.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND score % 6 = $2`, [
              workspaceId,
              remainder,
            ]),
      ),
    ),
    fc.constantFrom(...FORUMS).map(
      (forum): Change =>
        (workspaceId, tx) =>
          tx.query(
            'UPDATE posts SET forum = $2, score = score + 1 WHERE workspace_id = $1 AND score % 3 = 0',
            [workspaceId, forum],
          ),
    ),
  );

  it('equal a count after any mix of concurrent and rolled-back writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(change, fc.boolean()), { minLength: 1, maxLength: 4 }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (rounds) => {
          const workspace = await service.createWorkspace();
          const { workspaceId } = workspace;
          for (const round of rounds) {
            await Promise.all(
              round.map(([apply, isKept]) =>
                dataSource
                  .transaction(async (tx) => {
                    await apply(workspaceId, tx);
                    if (!isKept) throw new RolledBack();
                  })
                  .catch(unlessExpected),
              ),
            );
            for (const [query, condition] of [
              ['', ''],
              ['?forum=TECHNOLOGY', "AND lower(forum) = 'technology'"],
              ['?min_score=5', 'AND score >= 5'],
              [
                '?q=charging&forum=chess',
                "AND forum = 'chess' AND search @@ to_tsquery('simple', 'charging')",
              ],
            ] as const) {
              const expected = await count(`posts WHERE workspace_id = $1 ${condition}`, workspaceId);
              expect((await read<{ total: number }>(workspace, `/posts${query}`)).total).toBe(expected);
              // The second response may come from the cache.
              expect((await read<{ total: number }>(workspace, `/posts${query}`)).total).toBe(expected);
            }
            for (const [query, condition] of [
              ['', ''],
              ['?min_score=20', 'AND score >= 20'],
            ] as const)
              expect((await read<{ total: number }>(workspace, `/comments${query}`)).total).toBe(
                await count(`comments WHERE workspace_id = $1 ${condition}`, workspaceId),
              );
          }
          expect(await read(workspace, '/posts/forums/list')).toEqual(
            await dataSource.query(
              `SELECT min(forum) AS forum, count(*)::int AS post_count FROM posts WHERE workspace_id = $1
               GROUP BY lower(forum) ORDER BY post_count DESC, forum`,
              [workspaceId],
            ),
          );
        },
      ),
      { seed: 11, numRuns: 25 },
    );
  });

  it('are exact even on pages after the last post', async () => {
    const workspace = await service.createWorkspace();
    await storePosts(service, workspace.workspaceId, [aPost(1, { score: 7 }), aPost(2, { score: 7 })]);
    for (const query of ['', 'min_score=7&']) {
      const { cursor } = await read<{ cursor: string }>(workspace, `/posts?${query}limit=2`);
      expect(await read(workspace, `/posts?${query}cursor=${cursor}`)).toMatchObject({ posts: [], total: 2 });
    }
    expect(await read(workspace, '/comments?offset=5')).toEqual({ comments: [], total: 0, has_more: false });
  });

  it('need only few delta rows after many statements', async () => {
    const { workspaceId } = await service.createWorkspace();
    for (let step = 0; step < 600; step++)
      await dataSource.query('UPDATE posts SET score = 1 WHERE workspace_id = $1', [workspaceId]);
    expect(await count('post_count_deltas WHERE workspace_id = $1', workspaceId)).toBe(0);
    await storePosts(service, workspaceId, [aPost(1)]);
    for (let step = 0; step < 600; step++)
      await dataSource.query('UPDATE posts SET score = $2 WHERE workspace_id = $1', [workspaceId, step]);
    // Each statement folds the rows with a chance of 1 in 32, so 500 in a row without a fold do not occur.
    expect(await count('post_count_deltas WHERE workspace_id = $1', workspaceId)).toBeLessThan(500);
    expect(
      await dataSource.query(
        'SELECT sum(revision)::int AS revision FROM post_count_deltas WHERE workspace_id = $1',
        [workspaceId],
      ),
    ).toEqual([{ revision: 601 }]);
  });

  it('need one delta row for each forum after statements over many', async () => {
    const { workspaceId } = await service.createWorkspace();
    const deltas = 'post_count_deltas WHERE workspace_id = $1';
    const posts = Array.from({ length: 80 }, (_, n) => aPost(n, { forum: `forum${n % 40}` }));
    await storePosts(service, workspaceId, posts);
    for (let step = 0; step < 3; step++) {
      await dataSource.query('UPDATE posts SET score = $2 WHERE workspace_id = $1', [workspaceId, step]);
      expect(await count(deltas, workspaceId)).toBe(40);
    }
    await dataSource.query('DELETE FROM posts WHERE workspace_id = $1 AND id > $2', [
      workspaceId,
      posts[39]!.id,
    ]);
    expect(await count(deltas, workspaceId)).toBe(40);
    expect(
      await dataSource.query(
        'SELECT sum(rows)::int AS rows, sum(revision)::int AS revision FROM post_count_deltas WHERE workspace_id = $1',
        [workspaceId],
      ),
    ).toEqual([{ rows: 40, revision: 200 }]);
  });

  it('are deleted with their workspace, and are 0 after TRUNCATE', async () => {
    const gone = await service.createWorkspace();
    await storePosts(service, gone.workspaceId, [aPost(1), aPost(2)]);
    await dataSource.query('DELETE FROM workspaces WHERE id = $1', [gone.workspaceId]);
    expect(await count('post_count_deltas WHERE workspace_id = $1', gone.workspaceId)).toBe(0);

    const emptied = await service.createWorkspace();
    await storePosts(service, emptied.workspaceId, [aPost(1), aPost(2)]);
    expect((await read<{ total: number }>(emptied, '/posts?q=batteries')).total).toBe(2);
    await dataSource.query('TRUNCATE posts');
    expect((await read<{ total: number }>(emptied, '/posts')).total).toBe(0);
    expect((await read<{ total: number }>(emptied, '/posts?q=batteries')).total).toBe(0);
  });
});

class RolledBack extends Error {}

/** Ignores rollbacks, and deadlocks, which Postgres resolves by ending one of the transactions. */
function unlessExpected(error: unknown): void {
  const { code } = error as { code?: string };
  if (!(error instanceof RolledBack) && code !== '40P01') throw error;
}
