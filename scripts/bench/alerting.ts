import { setTimeout as wait } from 'node:timers/promises';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { FeedsService } from '../../src/takeout/feeds/feeds.service.js';
import { SearchesService } from '../../src/takeout/searches/searches.service.js';
import { type Application, Bench } from './support/harness.js';
import { secondsOf } from './support/measure.js';
import { NamedChat } from './support/named-chat.js';

const ALERTS = 1_000;
const POSTS_A_SECOND = 50;
const SECONDS = 20;
/** Not counted, because a newly started worker is still compiling its code. */
const WARM_UP_SECONDS = 3;
const POLLS = 5_000;
const READERS = 20;
const JOB = '00000000-0000-4000-8000-000000000009';

/** The way of posts from a stored row to a chat message, and polls of a feed. */
export function run(): Promise<object> {
  return Bench.run(async (bench) => {
    const chat = new NamedChat();
    bench.atEnd(() => chat.close());
    const api = await bench.application('api');
    const service = await bench.start('api,worker');
    const { workspaceId } = await bench.workspace();
    for (let number = 0; number < ALERTS; number += 1)
      await api.get(AlertsService, { strict: false }).create(workspaceId, {
        name: `Alert ${number}`,
        keywords: [`topic${number}`, `"rare phrase ${number}"`],
        fold_duplicates: false,
        channel: 'chat_a',
        channel_config: { webhook_url: chat.address(number) },
      });
    const storedAt = await storePosts(api, workspaceId);
    return {
      // From the commit that stores a post to the message at the chat.
      ...(await chat.delays(storedAt, POSTS_A_SECOND * WARM_UP_SECONDS)),
      // Polls of one feed that were answered with 304.
      polls_a_minute: await polls(api, service.url, workspaceId),
    };
  });
}

/** Stores posts at a constant rate; the times of their commits. */
async function storePosts(api: Application, workspaceId: string): Promise<Map<number, number>> {
  const posts = api.get(PostsRepository, { strict: false });
  const matching = api.get(AlertMatchingService, { strict: false });
  const transactions = api.get(TransactionRunner, { strict: false });
  const startedAt = performance.now();
  const storedAt = new Map<number, number>();
  while (storedAt.size < POSTS_A_SECOND * (WARM_UP_SECONDS + SECONDS)) {
    await wait(Math.max(0, startedAt + (storedAt.size / POSTS_A_SECOND) * 1_000 - performance.now()));
    const post = postOf(storedAt.size);
    await matching.withMatcher(workspaceId, (prepared) =>
      transactions.run(async (tx) => {
        await posts.upsert(workspaceId, [post], tx);
        await matching.matchBatch(workspaceId, JOB, { posts: [post] }, prepared, tx);
      }),
    );
    storedAt.set(storedAt.size, performance.now());
  }
  return storedAt;
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
  unknownFields: [],
  hasMedia: false,
  mediaUrls: [],
  sentimentScore: 0,
  sentimentLabel: 'neutral' as const,
  keywords: [],
  scrapedAt: new Date(),
});

/** Polls of one feed by readers that have it already, at most as many as the service answers. */
async function polls(api: Application, url: string, workspaceId: string): Promise<number> {
  const { id } = await api.get(SearchesService, { strict: false }).create(workspaceId, { name: 'All' });
  const { atom } = await api
    .get(FeedsService, { strict: false })
    .create(workspaceId, id.slice('search_'.length));
  const address = `${url}/api/v1/workspaces/${workspaceId}/feeds/${atom}`;
  const etag = (await fetch(address)).headers.get('etag')!;
  let left = POLLS;
  const poll = async (): Promise<void> => {
    while ((left -= 1) >= 0) {
      const { status } = await fetch(address, { headers: { 'If-None-Match': etag } });
      if (status !== 304) throw new Error(`A poll was answered with ${status}`);
    }
  };
  const seconds = await secondsOf(() => Promise.all(Array.from({ length: READERS }, poll)));
  return Math.round((POLLS / seconds) * 60);
}
