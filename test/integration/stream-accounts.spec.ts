import { DataSource } from 'typeorm';
import { findStoredIds } from '../../src/database/stored-ids.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';

/** The second name begins like the first, and characters differ that some collations skip. */
const IDS = ['bs_did:plc:ann_k1', 'bs_did:plc:ann_K-2', 'bs_did:plc:anna_k1', 'bs_did:plc:An_n_k1'];
/** Content of another source, so that reading all rows takes longer than an index. */
const OTHERS = Array.from({ length: 2_000 }, (_, number) => 100 + number);
const GONE = ['bs_did:plc:ann_', 'bs_did:plc:nobody_'];

const service = await startTestApplication({});
const workspace = await service.createWorkspace();

describe('what an account wrote that is gone', () => {
  beforeAll(async () => {
    await storePosts(service, workspace.workspaceId, [
      ...IDS.map((id, number) => aPost(number, { id })),
      ...OTHERS.map((number) => aPost(number)),
    ]);
    await storeComments(service, workspace.workspaceId, [
      ...IDS.map((commentId, number) =>
        aComment(number, { commentId, id: SOURCES.commentNumber(commentId), postId: IDS[0]! }),
      ),
      ...OTHERS.map((number) => aComment(number)),
    ]);
    await service.app.get(DataSource).query('ANALYZE posts, comments');
  });

  it.each([
    ['posts', PostsRepository],
    ['comments', CommentsRepository],
  ] as const)('is found among %s by the beginning of its ids', async (_, repository) => {
    const found = await service
      .get<PostsRepository | CommentsRepository>(repository)
      .findStored([workspace.workspaceId], [], GONE);
    expect(found.map(({ id }) => id).sort()).toEqual(IDS.slice(0, 2).sort());
  });

  it.each([
    ['posts', 'text', 'id'],
    ['comments', 'bigint', 'comment_id'],
  ] as const)('is found among %s by an index', async (name, keyType, idColumn) => {
    const plan = await service.app.get(DataSource).transaction(async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      const rows = await findStoredIds(
        (sql, parameters) => tx.query(`EXPLAIN ${sql}`, parameters),
        { name, keyType, idColumn },
        { workspaceIds: [workspace.workspaceId], keys: [], beginnings: GONE },
      );
      return JSON.stringify(rows);
    });
    expect(plan).toContain(`${name}_of_accounts`);
  });
});
