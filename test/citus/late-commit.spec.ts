import { jest } from '@jest/globals';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { recordArrivals } from '../../src/content/arrivals/record-arrivals.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { SavedSearchesRepository } from '../../src/takeout/searches/saved-searches.repository.js';
import { ArrivedResults } from '../../src/takeout/searches/stream/arrived-results.js';
import { SearchStreams } from '../../src/takeout/searches/stream/search-streams.service.js';
import { searchValue } from '../../src/text/search-value.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { runOnServer } from '../support/cluster.js';
import { until } from '../support/until.js';

const PREPARED = 'citus_late_commit';

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('the stream of a saved search on a cluster', () => {
  let node: { url: string; shard: string };

  beforeAll(async () => {
    node = await nodeOf(workspace.workspaceId);
  });

  /** The server with the workspace's rows, and the name of its posts there. */
  async function nodeOf(workspaceId: string): Promise<{ url: string; shard: string }> {
    const coordinator = service.environment.DATABASE_URL!;
    const [found] = await runOnServer<{ host: string; port: number; shard: string }>(
      coordinator,
      `SELECT nodename AS host, nodeport AS port, 'posts_' || shardid AS shard FROM pg_dist_shard_placement
       WHERE shardid = get_shard_id_for_distribution_column('posts', '${workspaceId}')`,
    );
    const url = new URL(coordinator);
    [url.hostname, url.port] = [found!.host, String(found!.port)];
    return { url: url.href, shard: found!.shard };
  }

  it('has a row that its node commits after the coordinator', async () => {
    const { workspaceId } = workspace;
    const post = { ...aPost(1), title: 'Go' };
    const transactions = service.get(TransactionRunner);
    await transactions.run((tx) => service.get(PostsRepository).upsert(workspaceId, [post], tx));
    await requestAs(service, workspace, 'POST', '/searches').send({ name: 'Rust', q: 'rust' }).expect(201);
    const [search] = await service.get(SavedSearchesRepository).list(workspaceId);
    const streams = service.get(SearchStreams);
    const sent: string[] = [];
    const subscription = streams
      .follow({ search: search!, position: await streams.positionOf(workspaceId, undefined) }, () =>
        Promise.resolve(true),
      )
      .subscribe(({ type }) => sent.push(type));
    const readable = jest.spyOn(service.get(ArrivedResults), 'areReadable');
    await runOnServer(
      node.url,
      'BEGIN',
      // Without triggers, which would need the coordinator.
      'SET LOCAL session_replication_role = replica',
      `UPDATE ${node.shard} SET search = $$${searchValue({ title: 'Rust', text: '' })}$$ WHERE workspace_id = '${workspaceId}'`,
      `PREPARE TRANSACTION '${PREPARED}'`,
    );
    try {
      await transactions.run((tx) => recordArrivals(workspaceId, 'posts', [post.id], tx));
      await until(async () =>
        (await Promise.all(readable.mock.results.map(({ value }) => value as Promise<boolean>))).includes(
          false,
        ),
      );
      expect(sent).not.toContain('post');
      // A new stream would begin after the row, and a list would not have it yet.
      await expect(streams.positionOf(workspaceId, undefined)).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      await runOnServer(node.url, `COMMIT PREPARED '${PREPARED}'`);
    }
    await until(() => sent.includes('post'));
    await expect(streams.positionOf(workspaceId, undefined)).resolves.toBeDefined();
    subscription.unsubscribe();
  });
});
