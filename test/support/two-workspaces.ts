import { DataSource } from 'typeorm';
import { createApplication } from '../../src/application.js';
import { SESSION_COOKIE } from '../../src/http/request/session-cookie.js';
import { MembersRepository } from '../../src/access/api-keys/members.repository.js';
import { SessionsService } from '../../src/access/sessions/sessions.service.js';
import { NotificationAddresses } from '../../src/deliver/subscriptions/notification-addresses.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from './application.js';
import { call } from './client.js';
import { runJob } from './jobs.js';
import { HttpReceiver } from './receivers.js';
import { openSandbox, scrapingFrom } from './sandbox.js';

/** A workspace with rows in every table, and the bare or platform ids of some of them. */
export interface FilledWorkspace extends TestWorkspace {
  /** A text that occurs in every post and comment of this workspace, and of no other. */
  mark: string;
  keyId: string;
  jobs: { completed: string; pending: string; running: string; cancelled: string };
  /** A browser session. */
  sessionId: string;
  memberId: string;
  /** Of a session of the member. */
  memberCookie: string;
  scheduleId: string;
  alertId: string;
  /** A match of the alert. */
  matchId: string;
  searchId: string;
  reportId: string;
  recurringExportId: string;
  pinId: string;
  storyId: string;
  /** Of an account that the workspace does not have. */
  erasureId: string;
  suppressionId: string;
  /** The post that it matched; the alert's other matches are held. */
  matchedPostId: string;
  webhookId: string;
  /** Has deliveries of its own. */
  otherWebhookId: string;
  deliveries: { ofAlert: string; ofWebhook: string; pending: string; ofOtherWebhook: string };
  /** Has downloaded media. */
  postId: string;
  mediaId: string;
  commentId: string;
  /** The completed one has one part. */
  exports: { completed: string; pending: string; running: string; cancelled: string };
  /** The completed one has one part. */
  datasets: { completed: string; unfinished: string };
}

export interface TwoWorkspaces {
  service: TestApplication;
  dataSource: DataSource;
  a: FilledWorkspace;
  b: FilledWorkspace;
  /** A post and a comment that only `b` has. */
  postOfB: string;
  commentOfB: string;
}

const HOOK = {
  events: ['job.completed', 'alert.triggered'],
  secret: 'a shared secret of more than 24 bytes',
};
const WATCHED = ['the', 'a', 'is', 'to', 'and'];

/**
 * An API with two workspaces that have the same contents under the same names: posts and comments (`b` has more),
 * addresses, names and schedules. No other process is running any more, so only requests change rows.
 */
export async function startTwoWorkspaces(overrides: Record<string, string> = {}): Promise<TwoWorkspaces> {
  const receiver = await HttpReceiver.start();
  const sandbox = await openSandbox();
  const service = await startTestApplication({
    ...scrapingFrom(sandbox.baseUrl),
    ROLES: 'api',
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    ...overrides,
  });
  const dataSource = service.app.get(DataSource);
  const worker = await createApplication({ ...service.environment, ROLES: ['worker'] });
  const filled: FilledWorkspace[] = [];
  for (const [mark, limit] of [
    ['markofa', 8],
    ['markofb', 12],
  ] as const)
    filled.push(await scrapeInto(service, dataSource, receiver.url, mark, limit));
  await worker.close();
  for (const workspace of filled) await addUnfinished(service, dataSource, workspace);
  const [a, b] = filled as [FilledWorkspace, FilledWorkspace];
  const [{ id: postOfB }] = await dataSource.query<[{ id: string }]>(
    `SELECT id FROM posts WHERE workspace_id = $1
     EXCEPT SELECT id FROM posts WHERE workspace_id = $2 LIMIT 1`,
    [b.workspaceId, a.workspaceId],
  );
  const [{ comment_id: commentOfB }] = await dataSource.query<[{ comment_id: string }]>(
    `SELECT comment_id FROM comments WHERE workspace_id = $1
     EXCEPT SELECT comment_id FROM comments WHERE workspace_id = $2 LIMIT 1`,
    [b.workspaceId, a.workspaceId],
  );
  return {
    service,
    dataSource,
    a,
    b,
    postOfB,
    commentOfB,
  };
}

const bare = (prefixed: string): string => prefixed.slice(prefixed.indexOf('_') + 1);

async function scrapeInto(
  service: TestApplication,
  dataSource: DataSource,
  receiverUrl: string,
  mark: string,
  limit: number,
): Promise<FilledWorkspace> {
  const workspace = await service.createWorkspace();
  const create = async (path: string, body: object): Promise<string> =>
    bare((await call<{ id: string }>(service, workspace, 'POST', path, body)).id);
  const keyId = await create('/api-keys', { name: 'Second key', scopes: ['admin'] });
  const sessionId = await signIn(service, workspace);
  const memberId = await create('/members', { email: 'same@example.org', role: 'reader' });
  const webhookId = await create('/webhooks', { url: receiverUrl, ...HOOK });
  const otherWebhookId = await create('/webhooks', { url: receiverUrl, ...HOOK });
  const alertId = await create('/alerts', {
    name: 'Common words',
    keywords: WATCHED,
    channel: 'chat_a',
    channel_config: { webhook_url: receiverUrl },
  });
  const searchId = await create('/searches', { name: 'Common words', q: 'the' });
  const reportId = await create('/reports', { name: 'Weekly', alerts: [alertId], searches: [searchId] });
  const recurringExportId = await create('/recurring-exports', {
    name: 'Weekly',
    of: 'posts',
    format: 'csv',
  });
  const pinId = await create('/trends/pins', {
    queries: ['the'],
    of: 'posts',
    period: '30',
    interval: 'day',
    measure: 'count',
  });
  const erasure = await call<{ id: string; suppression_id: string }>(
    service,
    workspace,
    'POST',
    '/erasures',
    {
      author: 'nobody',
    },
  );
  const scheduleId = await create('/schedules', { target: 'technology', cron_expression: '0 5 * * *' });
  const job = await runJob(service, workspace, {
    target: 'technology',
    limit,
    scrape_comments: true,
    download_media: true,
    plugins: ['link_extractor'],
  });
  if (job.status !== 'completed') throw new Error(`not scraped: ${JSON.stringify(job)}`);
  const firstDelivery = (path: string) => delivered(service, workspace, path);
  const deliveries = {
    ofAlert: await firstDelivery(`/alerts/${alertId}`),
    ofWebhook: await firstDelivery(`/webhooks/${webhookId}`),
    ofOtherWebhook: await firstDelivery(`/webhooks/${otherWebhookId}`),
    pending: '',
  };
  await dataSource.query(
    `UPDATE posts SET title = title || $2, selftext = selftext || $2, author = author || $2 WHERE workspace_id = $1`,
    [workspace.workspaceId, ` ${mark}`],
  );
  await dataSource.query(
    'UPDATE comments SET body = body || $2, author = author || $2 WHERE workspace_id = $1',
    [workspace.workspaceId, ` ${mark}`],
  );
  const [media] = await dataSource.query<[{ id: string; post_id: string }]>(
    'SELECT id, post_id FROM media_files WHERE workspace_id = $1 ORDER BY post_id DESC, id LIMIT 1',
    [workspace.workspaceId],
  );
  const [match] = await dataSource.query<[{ id: string; post_id: string }]>(
    'SELECT id, post_id FROM alert_matches WHERE workspace_id = $1 ORDER BY post_id LIMIT 1',
    [workspace.workspaceId],
  );
  await dataSource.query('UPDATE alert_matches SET is_held = true WHERE workspace_id = $1 AND id <> $2', [
    workspace.workspaceId,
    match.id,
  ]);
  await dataSource.query(
    'INSERT INTO alert_subscriptions (workspace_id, alert_id, member_id) VALUES ($1, $2, $3)',
    [workspace.workspaceId, alertId, memberId],
  );
  await service
    .get(NotificationAddresses)
    .set(workspace.workspaceId, memberId, { confirmed: 'same@home.example', pending: null });
  for (const labeller of ['same', ...(mark === 'markofb' ? ['only_in_b'] : [])])
    await call(service, workspace, 'POST', '/labels', {
      labeller,
      csv: `id,label\n${match.post_id},${mark}`,
    });
  await dataSource.query(
    `INSERT INTO alert_story_keys (workspace_id, key, record_id, language) VALUES ($1, 45, $2, 'en')`,
    [workspace.workspaceId, match.post_id],
  );
  await dataSource.query(
    `UPDATE alerts SET digest_due_at = '2026-01-01', spike_due_at = '2026-01-01' WHERE workspace_id = $1`,
    [workspace.workspaceId],
  );
  const [story] = await dataSource.query<[{ id: string }]>(
    `INSERT INTO story_records (workspace_id, scope, record_id, story_id)
     VALUES ($1, 1, $2, gen_random_uuid()) RETURNING story_id AS id`,
    [workspace.workspaceId, match.post_id],
  );
  const [comment] = await dataSource.query<[{ comment_id: string }]>(
    'SELECT comment_id FROM comments WHERE workspace_id = $1 ORDER BY id LIMIT 1',
    [workspace.workspaceId],
  );
  return {
    ...workspace,
    mark,
    keyId,
    jobs: { completed: bare(job.id), pending: '', running: '', cancelled: '' },
    sessionId,
    memberId,
    memberCookie: await memberCookie(service, workspace, memberId),
    scheduleId,
    alertId,
    matchId: match.id,
    searchId,
    reportId,
    recurringExportId,
    pinId,
    storyId: story.id,
    erasureId: bare(erasure.id),
    suppressionId: bare(erasure.suppression_id),
    matchedPostId: match.post_id,
    webhookId,
    otherWebhookId,
    deliveries,
    postId: media.post_id,
    mediaId: media.id,
    commentId: comment.comment_id,
    exports: {
      completed: await completed(service, workspace, '/exports', { of: 'posts', format: 'csv' }),
      pending: '',
      running: '',
      cancelled: '',
    },
    datasets: {
      completed: await completed(service, workspace, '/datasets', { name: 'All', of: 'posts' }),
      unfinished: '',
    },
  };
}

/** Signs a browser in; returns the id of the session. */
async function signIn(service: TestApplication, workspace: TestWorkspace): Promise<string> {
  await fetch(`${service.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: workspace.apiKey }),
  });
  const [session] = await call<{ id: string }[]>(service, workspace, 'GET', '/sessions');
  return bare(session!.id);
}

/** Signs a member in; see test/e2e/members.spec.ts for the sign-in at a provider. */
async function memberCookie(
  service: TestApplication,
  { workspaceId }: TestWorkspace,
  memberId: string,
): Promise<string> {
  const key = await service.get(MembersRepository).find(workspaceId, memberId);
  const browser = { address: '127.0.0.1', userAgent: undefined };
  const token = await service.get(SessionsService).begin({ key: key!, endsAt: null }, browser);
  return `${SESSION_COOKIE}=${token}`;
}

/** Creates an export or a dataset, and waits for it. */
async function completed(
  service: TestApplication,
  workspace: TestWorkspace,
  path: string,
  body: object,
): Promise<string> {
  const { id } = await call<{ id: string }>(service, workspace, 'POST', path, body);
  for (let look = 0; look < 400; look += 1) {
    const { status } = await call<{ status: string }>(service, workspace, 'GET', `${path}/${id}`);
    if (status === 'completed') return bare(id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${path}/${id} not completed within 20 s`);
}

/** The newest delivery of a destination, once it and all others have arrived. */
async function delivered(
  service: TestApplication,
  workspace: TestWorkspace,
  destination: string,
): Promise<string> {
  for (let look = 0; look < 200; look += 1) {
    const { deliveries } = await call<{ deliveries: { id: string; status: string }[] }>(
      service,
      workspace,
      'GET',
      `${destination}/deliveries`,
    );
    if (deliveries.length > 0 && deliveries.every(({ status }) => status === 'delivered'))
      return bare(deliveries[0]!.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing delivered to ${destination} within 10 s`);
}

/** Rows that a worker would pick up: unfinished jobs and a waiting delivery. */
async function addUnfinished(
  service: TestApplication,
  dataSource: DataSource,
  workspace: FilledWorkspace,
): Promise<void> {
  const post = async (path: string, body?: object): Promise<string> =>
    bare((await call<{ id: string }>(service, workspace, 'POST', path, body)).id);
  const job = () => post('/jobs', { target: 'programming' });
  workspace.jobs.pending = await job();
  workspace.jobs.running = await job();
  workspace.jobs.cancelled = await job();
  await dataSource.query(
    `UPDATE jobs SET status = 'running', started_at = now() WHERE workspace_id = $1 AND id = $2`,
    [workspace.workspaceId, workspace.jobs.running],
  );
  await call(service, workspace, 'DELETE', `/jobs/${workspace.jobs.cancelled}`);
  const anExport = () => post('/exports', { of: 'comments', format: 'json' });
  workspace.exports.pending = await anExport();
  workspace.exports.running = await anExport();
  workspace.exports.cancelled = await anExport();
  await call(service, workspace, 'DELETE', `/exports/${workspace.exports.cancelled}`);
  workspace.datasets.unfinished = await post('/datasets', { name: 'Unfinished', of: 'comments' });
  await post(`/schedules/${workspace.scheduleId}/run`);
  workspace.deliveries.pending = await post(`/webhooks/${workspace.webhookId}/test`);
}
