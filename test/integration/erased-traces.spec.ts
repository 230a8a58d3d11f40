import { DataSource } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import type { ErasureDto } from '../../src/privacy/erasures/dto/erasure.dto.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { StreamsRepository } from '../../src/collect/streams/streams.repository.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { redisEntries, tablesWith } from '../support/marked-places.js';
import { HttpReceiver } from '../support/receivers.js';
import { until } from '../support/until.js';

/** Occurs in the name of the account, in its ids, and in what it wrote. */
const MARK = 'zqxtraces';
const AUTHOR = `${MARK}.example`;
const ACCOUNT = `bs_did:web:${AUTHOR}_`;
const BY_OTHERS = 'bs_did:plc:others_3k0';

const POST = aPost(1, {
  id: `${ACCOUNT}3k1`,
  author: AUTHOR,
  title: `About ${MARK}`,
  selftext: `Some text of ${MARK}`,
  url: 'https://example.com/first',
  permalink: `/profile/did:web:${AUTHOR}/post/3k1`,
});
const REPOST_OF_OTHERS = aPost(4, {
  ...POST,
  id: `${ACCOUNT}3k4`,
  url: 'https://example.com/second',
  permalink: `/profile/did:web:${AUTHOR}/post/3k4`,
});
const OTHERS = [
  aPost(2, { title: 'A text', url: 'https://example.com/second' }),
  aPost(3, { title: 'Another text', url: 'https://example.com/first' }),
];
const COMMENT_ID = `${ACCOUNT}3k5`;
const COMMENT = aComment(5, {
  commentId: COMMENT_ID,
  id: SOURCES.commentNumber(COMMENT_ID),
  postId: OTHERS[0]!.id,
  parentId: OTHERS[0]!.id,
  author: AUTHOR,
  body: `A text about ${MARK}`,
});

const receiver = await HttpReceiver.start(({ path }) => ({
  status: path.startsWith('/appview') ? 500 : 200,
}));
const service = await startTestApplication({
  ROLES: 'api,worker,scheduler',
  OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
  BLUESKY_APPVIEW_URL: `${receiver.url}/appview`,
  JETSTREAM_URL: 'ws://127.0.0.1:9',
});
const workspace = await service.createWorkspace();

describe('the erasure of an account whose name is part of its ids', () => {
  const run = <T>(sql: string, ...given: unknown[]): Promise<T[]> =>
    service.app.get(DataSource).query<T[]>(sql, given);
  const send = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    call<T>(service, workspace, method, path, body);
  const marked = () => tablesWith(run, MARK);
  const markedEntries = async () =>
    (await redisEntries(service.environment.REDIS_URL!)).filter((entry) =>
      entry.toLowerCase().includes(MARK),
    );

  /** Stores rows as a scrape does. */
  const store = (posts: (typeof POST)[], comments: (typeof COMMENT)[]): Promise<void> =>
    service.get(TransactionRunner).run(async (tx) => {
      const { workspaceId } = workspace;
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, newId(), { posts, comments }, null, tx);
    });

  /** Searches through the Model Context Protocol. */
  async function askAssistant(): Promise<void> {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${workspace.apiKey}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_posts', arguments: { q: 'text' } },
      }),
    });
    expect(await response.text()).toContain(MARK);
  }

  it('begins with traces in stories, digests, responses, streams and jobs', async () => {
    await send('POST', '/webhooks', { url: `${receiver.url}/hook`, events: ['alert.triggered'] });
    const alert = {
      query: 'text',
      of: 'all',
      channel: 'chat_a',
      channel_config: { webhook_url: receiver.url },
    };
    await send('POST', '/alerts', { ...alert, name: 'At once' });
    await send('POST', '/alerts', {
      ...alert,
      name: 'Digest',
      delivery: { every: 'day', at: '08:00', timezone: 'Europe/Berlin' },
    });
    const query = `planets author:(ann OR u/${AUTHOR.toUpperCase()})`;
    await send('POST', '/alerts', { ...alert, query, name: query });
    const filters = { author: [AUTHOR, 'ann'] };
    await send('POST', '/searches', { name: `author:${AUTHOR}`, q: `-author:"${AUTHOR}"`, filters });
    await send('POST', '/trends/pins', {
      queries: [`author:${AUTHOR}`],
      of: 'posts',
      period: 'all',
      interval: 'month',
      measure: 'count',
    });
    await store([OTHERS[0]!, POST], []);
    await store([OTHERS[1]!, REPOST_OF_OTHERS], [COMMENT]);
    expect(await run('SELECT FROM alert_matches WHERE folded_into IS NOT NULL')).toHaveLength(4);
    expect((await run('SELECT FROM alert_matches WHERE is_held')).length).toBeGreaterThan(0);
    await until(async () => (await run(`SELECT FROM deliveries WHERE status = 'delivered'`)).length > 2);
    // A receiver quoted the event in its first response, and accepted it later.
    const failed = { succeeded: false, error: `No channel for ${MARK}` };
    await run(
      `UPDATE deliveries SET history = jsonb_build_array(history->0 || $1::jsonb, history->0)
       WHERE status = 'delivered'`,
      failed,
    );
    expect(await marked()).toContain('deliveries');
    await requestAs(service, workspace, 'POST', '/jobs')
      .set('Idempotency-Key', 'job')
      .send({ target: `bsky:${AUTHOR}`, target_type: 'user' })
      .expect(201);
    await until(async () => (await run(`SELECT FROM jobs WHERE status = 'failed'`)).length > 0);
    await askAssistant();
    const streams = service.get(StreamsRepository);
    await streams.want(workspace.workspaceId, 'bluesky', 'own');
    await streams.want(workspace.workspaceId, 'bluesky', 'shared');
    await streams.want(newId(), 'bluesky', 'shared');
    for (const topic of ['own', 'shared'])
      for (const id of [POST.id, `${ACCOUNT}3k9`, BY_OTHERS])
        await run(`INSERT INTO stream_posts (source, topic, id) VALUES ('bluesky', $1, $2)`, topic, id);
    for (const id of [POST.id, `${ACCOUNT}3k9`, BY_OTHERS])
      await run(
        `INSERT INTO heard_texts (workspace_id, source, id, is_comment) VALUES ('${workspace.workspaceId}', 'bluesky', $1, false)`,
        id,
      );
    // The builder of segments takes changes of the index in at any time.
    expect((await marked()).filter((name) => name !== 'search_changes')).toEqual([
      'alert_matches',
      'alert_story_keys',
      'alerts',
      'arrivals',
      'audit_entries',
      'comments',
      'deliveries',
      'heard_texts',
      'job_log',
      'jobs',
      'outbox_events',
      'pinned_trends',
      'posts',
      'saved_searches',
      'stream_posts',
    ]);
  });

  it('leaves nothing of it, but what a stream brought for other workspaces', async () => {
    const requested = await send<ErasureDto>('POST', '/erasures', { source: 'bluesky', author: AUTHOR });
    await until(
      () => send<ErasureDto>('GET', `/erasures/${requested.id}`),
      ({ status }) => status === 'completed',
    );
    const query = 'planets author:(ann OR "[erased]")';
    expect(await run('SELECT name, query FROM alerts ORDER BY created_at DESC LIMIT 1')).toEqual([
      { name: query, query },
    ]);
    expect(await run('SELECT name, q, filters FROM saved_searches')).toEqual([
      { name: 'author:"[erased]"', q: '-author:"[erased]"', filters: { author: ['[erased]', 'ann'] } },
    ]);
    expect(await run('SELECT topic, id FROM stream_posts ORDER BY topic, id')).toEqual([
      { topic: 'own', id: BY_OTHERS },
      ...[BY_OTHERS, POST.id, `${ACCOUNT}3k9`].map((id) => ({ topic: 'shared', id })),
    ]);
    await run(`DELETE FROM stream_posts WHERE topic = 'shared'`);
    expect(await marked()).toEqual([]);
    expect(await markedEntries()).toEqual([]);
  });
});
