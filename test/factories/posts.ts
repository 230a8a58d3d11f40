import { DataSource } from 'typeorm';
import type { PostRecord } from '../../src/content/posts/post.entity.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import type { TestApplication } from '../support/application.js';

export type NewPost = Omit<PostRecord, 'workspaceId'>;

const EPOCH = Date.UTC(2026, 0, 1);

/** A post whose sort values sometimes differ from and sometimes equal those of its neighbours. */
export function aPost(number: number, overrides: Partial<NewPost> = {}): NewPost {
  const id = `t3_${number.toString(36).padStart(6, '0')}`;
  return {
    id,
    forum: number % 3 === 0 ? 'Technology' : 'programming',
    title: `Post ${number} about batteries`,
    author: `author${number % 7}`,
    createdUtc: new Date(EPOCH + Math.floor(number / 4) * 60_000),
    permalink: `/r/technology/comments/${id.slice(3)}/post/`,
    url: number % 2 === 0 ? null : `https://example.com/${number}`,
    score: (number * 37) % 101,
    upvoteRatio: ((number * 13) % 100) / 100,
    numComments: (number * 7) % 53,
    selftext: number % 2 === 0 ? `Charging ${number} in a minute` : '',
    postType: number % 2 === 0 ? 'self' : 'link',
    isNsfw: false,
    isSpoiler: false,
    flair: '',
    totalAwards: 0,
    unknownFields: [],
    hasMedia: false,
    mediaUrls: [],
    sentimentScore: ((number % 21) - 10) / 10,
    sentimentLabel: number % 21 > 12 ? 'positive' : number % 21 < 8 ? 'negative' : 'neutral',
    keywords: ['battery', 'minute'],
    scrapedAt: new Date(EPOCH + 86_400_000 + Math.floor(number / 100) * 1_000),
    ...overrides,
  };
}

export async function storePosts(
  service: TestApplication,
  workspaceId: string,
  posts: readonly NewPost[],
): Promise<void> {
  const repository = service.get(PostsRepository);
  const { manager } = service.app.get(DataSource);
  for (let start = 0; start < posts.length; start += 1_000)
    await repository.upsert(workspaceId, posts.slice(start, start + 1_000), manager);
}

/** The record with the interface's field names, without a list of names that could repeat a mistake of the service. */
export function inSnakeCase(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  );
}
