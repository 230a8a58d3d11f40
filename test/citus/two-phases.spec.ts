import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { recordArrivals } from '../../src/content/arrivals/record-arrivals.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';

const service = await startTestApplication();

describe('a transaction with rows of a node and of the coordinator', () => {
  it('is committed on both or on none', async () => {
    const { workspaceId } = await service.createWorkspace();
    const post = aPost(1);
    const transactions = service.get(TransactionRunner);
    await transactions.run((tx) => service.get(PostsRepository).upsert(workspaceId, [post], tx));
    const number = await transactions.run(async (tx) => {
      // Citus commits one shard's UPDATE in one phase, unlike an INSERT of several rows.
      await tx.query('UPDATE posts SET score = score + 1 WHERE workspace_id = $1', [workspaceId]);
      await recordArrivals(workspaceId, 'posts', [post.id], tx);
      const [row] = await tx.query<[{ number: string }]>(
        `SELECT process_id || '_' || transaction_number AS number FROM get_current_transaction_id()`,
      );
      return row.number;
    });
    // What Citus notes at the commit, so that it completes the transaction on the node after a crash.
    const [{ noted }] = await service
      .get(DataSource)
      .query<[{ noted: boolean }]>(
        `SELECT EXISTS (SELECT FROM pg_dist_transaction WHERE gid LIKE 'citus\\_0\\_${number}\\_%') AS noted`,
      );
    expect(noted).toBe(true);
  });
});
