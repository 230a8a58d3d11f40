import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createApplication } from '../../src/application.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { migrate } from '../../src/database/run-migrations.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { FeedsService } from '../../src/takeout/feeds/feeds.service.js';
import { SearchesService } from '../../src/takeout/searches/searches.service.js';
import { WorkspacesService } from '../../src/access/workspaces/workspaces.service.js';
import { benchServers } from './support/servers.js';
import { ServiceProcess } from './support/service-process.js';

const ALERTS = 1_000;
const POSTS_A_SECOND = 50;
const SECONDS = 20;
/** Not counted, because a newly started worker is still compiling its code. */
const WARM_UP_SECONDS = 3;
const POLLS = 5_000;
const READERS = 20;
const JOB = '00000000-0000-4000-8000-000000000009';

export interface AlertingFigures {
  /** From the commit that stores a post to the message at the chat, in milliseconds. */
  to_chat_p50_ms: number;
  to_chat_p95_ms: number;
  messages: number;
  /** Polls of one feed that were answered with 304. */
  polls_a_minute: number;
}

/** The way of posts from a stored row to a chat message, and polls of a feed. */
export async function run(): Promise<AlertingFigures> {
  const { databaseUrl, redisUrl } = await benchServers();
  await migrate(databaseUrl);
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    QUOTA_ALERTS: String(ALERTS),
    LOG_LEVEL: 'error',
    PORT: '0',
  };
  const api = await createApplication(parseEnvironment({ ...environment, ROLES: 'api' }));
  await api.init();
  const service = new ServiceProcess({ ...environment, ROLES: 'api,worker' });
  const arrivedAt = new Map<string, number>();
  const chat = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      for (const [, name] of body.matchAll(/named(\d+)/g)) arrivedAt.set(name!, performance.now());
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  try {
    await service.ready();
    const { workspaceId } = await api.get(WorkspacesService, { strict: false }).create('Benchmark');
    const { port } = chat.address() as AddressInfo;
    for (let number = 0; number < ALERTS; number += 1)
      await api.get(AlertsService, { strict: false }).create(workspaceId, {
        name: `Alert ${number}`,
        keywords: [`topic${number}`, `"rare phrase ${number}"`],
        fold_duplicates: false,
        channel: 'chat_a',
        channel_config: { webhook_url: `http://127.0.0.1:${port}/${number}` },
      });
    const storedAt = new Map<string, number>();
    const [posts, matching, transactions] = [
      api.get(PostsRepository, { strict: false }),
      api.get(AlertMatchingService, { strict: false }),
      api.get(TransactionRunner, { strict: false }),
    ];
    const startedAt = performance.now();
    for (let number = 0; number < POSTS_A_SECOND * (WARM_UP_SECONDS + SECONDS); number += 1) {
      await wait(Math.max(0, startedAt + (number / POSTS_A_SECOND) * 1_000 - performance.now()));
      const post = postOf(number);
      await matching.withMatcher(workspaceId, (prepared) =>
        transactions.run(async (tx) => {
          await posts.upsert(workspaceId, [post], tx);
          await matching.matchBatch(workspaceId, JOB, { posts: [post] }, prepared, tx);
        }),
      );
      storedAt.set(String(number), performance.now());
    }
    for (let waited = 0; arrivedAt.size < storedAt.size && waited < 200; waited += 1) await wait(50);
    const first = POSTS_A_SECOND * WARM_UP_SECONDS;
    const took = [...storedAt]
      .filter(([name]) => Number(name) >= first && arrivedAt.has(name))
      .map(([name, stored]) => arrivedAt.get(name)! - stored)
      .sort((a, b) => a - b);
    const quantile = (share: number): number => Math.round(took[Math.floor(share * took.length)] ?? NaN);
    return {
      to_chat_p50_ms: quantile(0.5),
      to_chat_p95_ms: quantile(0.95),
      messages: took.length,
      polls_a_minute: await polls(api, service.url, workspaceId),
    };
  } finally {
    chat.close();
    await service.end('SIGTERM');
    await api.close();
  }
}

/** A post that one alert matches. */
const postOf = (number: number) => ({
  id: `t3_${number}`,
  forum: 'technology',
  title: `A post named${number} on topic${number % ALERTS}`,
  author: 'someone',
  createdUtc: new Date(),
  permalink: `/r/technology/comments/${number}/`,
  url: null,
  score: 1,
  upvoteRatio: 1,
  numComments: 0,
  selftext: 'What people say about a thing, in a few words more than a title has. '.repeat(5),
  postType: 'self' as const,
  isNsfw: false,
  isSpoiler: false,
  flair: '',
  totalAwards: 0,
  hasMedia: false,
  mediaUrls: [],
  sentimentScore: 0,
  sentimentLabel: 'neutral' as const,
  keywords: [],
  scrapedAt: new Date(),
});

type Application = Awaited<ReturnType<typeof createApplication>>;

/** Polls of one feed by readers that have it already, at most as many as the service answers. */
async function polls(api: Application, url: string, workspaceId: string): Promise<number> {
  const { id } = await api.get(SearchesService, { strict: false }).create(workspaceId, { name: 'All' });
  const { atom } = await api
    .get(FeedsService, { strict: false })
    .create(workspaceId, id.slice('search_'.length));
  const address = `${url}/api/v1/workspaces/${workspaceId}/feeds/${atom}`;
  const etag = (await fetch(address)).headers.get('etag')!;
  let left = POLLS;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      while ((left -= 1) >= 0) {
        const { status } = await fetch(address, { headers: { 'If-None-Match': etag } });
        if (status !== 304) throw new Error(`A poll was answered with ${status}`);
      }
    }),
  );
  return Math.round((POLLS / (performance.now() - startedAt)) * 60_000);
}
