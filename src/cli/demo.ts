import 'reflect-metadata';
import { createWriteStream } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { beginningOf } from '../common/strings.js';
import { parseEnvironment } from '../config/environment.js';
import { type RunningService, startService } from '../launcher/service.js';
import { startSandbox } from '../sandbox/server/sandbox.js';

const FORUM = 'technology';
const POSTS = 120;
/** Further sources of the synthetic platform, whose targets need no credentials. */
const OPEN_TARGETS = [
  { target: 'discourse:forum.example', target_type: 'forum', limit: 30 },
  { target: 'bsky:bsky.app', target_type: 'user', limit: 60 },
];
/** Words of posts of all sources. */
const WORDS = 'report OR notes OR anyone';
const JOB_TIMEOUT_MS = 120_000;
const DELIVERY_TIMEOUT_MS = 30_000;
const SECRET = `whsec_${Buffer.from('a secret for the demonstration only').toString('base64')}`;

interface Received {
  type: string;
  verified: boolean;
  data: Record<string, unknown>;
}

interface JobView {
  id: string;
  status: string;
  posts_scraped: number;
  comments_scraped: number;
  media_downloaded: number;
  duration_seconds: number | null;
  error_message: string | null;
  progress: { requests?: number; stop_reason?: string };
}

interface PostView {
  title: string;
  score: number;
  num_comments: number;
  sentiment_label: string;
}

/** `npm run demo`: one end-to-end example on the synthetic platform; exits with 0 when every step worked. */
async function main(): Promise<void> {
  const interactive = process.stdout.isTTY;
  const dataDir = join(parseEnvironment(process.env).DATA_DIR, 'demo');
  const openSources = await startSandbox({
    forums: { programming: { posts: 200 }, askanything: { posts: 200 } },
  });
  const given = {
    ...process.env,
    SOURCE_SITES: `forum.example=${openSources.baseUrl}/discourse`,
    BLUESKY_APPVIEW_URL: `${openSources.baseUrl}/bluesky`,
    SOURCE_REQUESTS_PER_MINUTE: process.env.SOURCE_REQUESTS_PER_MINUTE ?? '600',
    // Invented posts never go into a database of the operator's own.
    DATABASE_URL: undefined,
    DATABASE_REQUEST_URL: undefined,
    REDIS_URL: undefined,
    DATA_DIR: dataDir,
    PORT: process.env.PORT ?? '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
    // The synthetic platform has no request limit; with the real budget the demonstration would have to wait.
    PLATFORM_REQUESTS_PER_MINUTE: process.env.PLATFORM_REQUESTS_PER_MINUTE ?? '600',
    // The demonstration's receiver listens on loopback, which webhooks may not reach by default.
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
  };
  say(`Starting Postgres, Redis, the synthetic platform and the service below ${dataDir}`);
  const service = await startService({
    environment: parseEnvironment(given),
    given,
    log: say,
    onLost: (error) => {
      say(error.message);
      process.exit(1);
    },
  });
  const received: Received[] = [];
  const receiver = await startReceiver(received);
  const end = async (code: number): Promise<never> => {
    receiver.close();
    receiver.closeAllConnections();
    await service.stop();
    await openSources.close();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0));
  try {
    const link = await demonstrate(service, receiver, received, dataDir, interactive);
    say(`\nDashboard, signed in (the link works once and expires after 15 minutes): ${link}`);
    if (!interactive) await end(0);
    say(`Serving on ${service.apiUrl} (Swagger UI at ${service.apiUrl}/docs); Ctrl-C stops it.`);
  } catch (error) {
    say(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
    await end(1);
  }
}

/** Runs the example; returns the URL of a signed-in dashboard. */
async function demonstrate(
  service: RunningService,
  receiver: Server,
  received: Received[],
  dataDir: string,
  interactive: boolean,
): Promise<string> {
  const { workspaceId, apiKey } = await service.createWorkspace('Demonstration');
  const base = `${service.apiUrl}/api/v1/workspaces/${workspaceId}`;
  const request = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(base + path, {
      method,
      headers: { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await (await request(method, path, body)).json()) as T;

  say(`Workspace ${workspaceId}, key ${apiKey}`);
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await call('POST', '/webhooks', {
    url: receiverUrl,
    events: ['job.completed', 'alert.triggered'],
    secret: SECRET,
  });
  await call('POST', '/alerts', {
    name: 'Words of the day',
    keywords: ['battery', 'update', 'privacy', 'open source', 'laptop'],
    channel: 'webhook',
    channel_config: { webhook_url: receiverUrl, secret: SECRET },
  });
  say(`A signed webhook and a keyword alert point to a receiver on ${receiverUrl}`);

  say(`\nScraping ${POSTS} posts of "${FORUM}" with comments and media`);
  const job = await runJob(call, { target: FORUM, limit: POSTS }, (view) => drawProgress(view, interactive));
  process.stdout.write('\n');
  say(
    `${job.id} ${job.status} in ${job.duration_seconds} s: ${job.posts_scraped} posts, ${job.comments_scraped} comments, ` +
      `${job.media_downloaded} media files, ${job.progress.requests} requests, ended by ${job.progress.stop_reason}`,
  );

  const { posts } = await call<{ posts: PostView[] }>('GET', '/posts?limit=5&sort_by=score');
  say('\nIts posts with the highest scores:');
  for (const post of posts)
    say(
      `  ${String(post.score).padStart(6)}  ${post.sentiment_label.padEnd(8)}  ${post.title}  (${post.num_comments} comments)`,
    );
  const comments = await call<{ comments: { body: string; author: string }[] }>('GET', '/comments?limit=3');
  say('\nIts newest comments:');
  for (const comment of comments.comments)
    say(`  ${comment.author}: ${beginningOf(comment.body.replace(/\s+/g, ' '), 90)}`);

  for (const target of OPEN_TARGETS) {
    const { posts_scraped: stored, comments_scraped: replies } = await runJob(call, target);
    say(`\nScraped ${stored} posts of "${target.target}" with ${replies} comments, without credentials`);
  }
  const { facets } = await call<{ facets: { source: { value: string; count: number }[] } }>(
    'GET',
    `/analytics/facets?by=source&q=${encodeURIComponent(WORDS)}`,
  );
  say(`\nOne search of three sources, for ${WORDS}:`);
  for (const { value, count } of facets.source) say(`  ${String(count).padStart(6)}  ${value}`);

  const file = join(dataDir, 'posts.csv');
  const download = await request('GET', '/exports/posts?format=csv');
  await pipeline(
    Readable.fromWeb(download.body as import('node:stream/web').ReadableStream),
    createWriteStream(file),
  );
  say(`\nCSV export: ${file}`);

  const awaited = ['job.completed', 'alert.triggered'];
  const deadline = Date.now() + DELIVERY_TIMEOUT_MS;
  while (!awaited.every((type) => received.some((event) => event.type === type))) {
    if (Date.now() > deadline) throw new Error('the webhook events did not arrive in time');
    await sleep(100);
  }
  say('\nReceived by webhook:');
  for (const event of received)
    say(`  ${event.type}  signature ${event.verified ? 'verified' : 'NOT verified'}`);
  if (received.some((event) => !event.verified)) throw new Error('a signature did not verify');

  return (await service.createSignInLink())!;
}

/** Starts a job and waits for it. Throws unless it completes. */
async function runJob(
  call: <T>(method: string, path: string, body?: object) => Promise<T>,
  body: object,
  show: (job: JobView) => void = () => undefined,
): Promise<JobView> {
  let job = await call<JobView>('POST', '/jobs', body);
  for (
    const deadline = Date.now() + JOB_TIMEOUT_MS;
    ['pending', 'running'].includes(job.status);
    await sleep(200)
  ) {
    if (Date.now() > deadline) throw new Error('the job did not end in time');
    job = await call<JobView>('GET', `/jobs/${job.id}`);
    show(job);
  }
  if (job.status !== 'completed') throw new Error(`the job ended as ${job.status}: ${job.error_message}`);
  return job;
}

/** A webhook receiver as an integrator would write it: verifies the signature, records the event, responds with 204. */
async function startReceiver(received: Received[]): Promise<Server> {
  const webhook = new Webhook(SECRET);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({
        ...(JSON.parse(body) as Omit<Received, 'verified'>),
        verified: verifies(webhook, body, request.headers),
      });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function verifies(webhook: Webhook, body: string, headers: IncomingHttpHeaders): boolean {
  try {
    webhook.verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function drawProgress(job: JobView, interactive: boolean): void {
  if (!interactive) return;
  const width = 40;
  const done = Math.min(width, Math.round((job.posts_scraped / POSTS) * width));
  process.stdout.write(
    `\r  [${'#'.repeat(done)}${'.'.repeat(width - done)}] ${job.posts_scraped} posts, ${job.comments_scraped} comments, ${job.media_downloaded} files `,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
