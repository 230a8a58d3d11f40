import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mapInSlices } from '../../common/slices.js';
import { SOURCES } from '../../platforms/registry.js';
import { keyOfComment } from '../../content/comments/comment-keys.js';
import type { AlertableBatch } from '../matching/triggering.js';
import type { FreshMatch } from '../matching/alert-matches.repository.js';
import { type Fold, foldStories, similarRecords, type StoredKey } from './fold-stories.js';
import { StoriesRepository } from './stories.repository.js';
import { type Story, type StoryKeys, storyKeys } from '../../content/stories/story-keys.js';

/** Maximum number of records of a batch that are compared; further ones are not folded. */
const MAX_RECORDS = 1_000;

/** Folds matches of reposts into the first match of their story. */
@Injectable()
export class StoryFolding {
  constructor(private readonly stories: StoriesRepository) {}

  /**
   * Folds fresh matches of locked alerts, in the batch's order of posts and comments. Returns the folded ones.
   */
  async fold(
    workspaceId: string,
    fresh: readonly FreshMatch[],
    batch: AlertableBatch,
    tx: EntityManager,
  ): Promise<Fold[]> {
    if (fresh.length === 0) return [];
    const records = await keysOf(new Set(fresh.map(({ postId }) => postId)), batch);
    const keys = [...records.values()].flatMap(({ whole, bands }) => [...whole, ...bands]);
    if (keys.length === 0) return [];
    const similar = similarRecords(records, await this.stories.findKeys(workspaceId, [...new Set(keys)], tx));
    const order = new Map([...records.keys()].map((id, index) => [id, index]));
    const ordered = fresh
      .filter(({ postId }) => order.has(postId))
      .sort((a, b) => order.get(a.postId)! - order.get(b.postId)!);
    const wanted = ordered.flatMap(({ alertId, postId }) =>
      similar
        .get(postId)!
        .filter((id) => !order.has(id))
        .map((id) => ({ alertId, postId: id })),
    );
    const earlier = wanted.length === 0 ? [] : await this.stories.findTargets(workspaceId, wanted, tx);
    const folds = foldStories(ordered, similar, earlier);
    if (folds.length > 0) await this.stories.fold(workspaceId, folds, tx);
    const folded = new Set(folds.map(({ id }) => id));
    const kept = new Set(ordered.filter(({ id }) => !folded.has(id)).map(({ postId }) => postId));
    await this.stories.addKeys(
      workspaceId,
      [...kept].flatMap((id) => stored(id, records.get(id)!)),
      tx,
    );
    return folds;
  }
}

const stored = (recordId: string, { whole, bands, language }: StoryKeys): StoredKey[] =>
  [...new Set([...whole, ...bands])].map((key) => ({ key, recordId, language }));

/** The keys of the wanted records by the id of their matches, in the order of posts and comments. */
async function keysOf(
  wanted: ReadonlySet<string>,
  { posts, comments }: AlertableBatch,
): Promise<Map<string, StoryKeys>> {
  const stories: (readonly [string, Story])[] = [
    ...posts.map(
      ({ id, title, selftext, url, permalink }) =>
        [id, { title, text: selftext, links: linksOf(id, url, permalink) }] as const,
    ),
    ...comments.map(
      ({ commentId, body }) => [keyOfComment(commentId), { title: '', text: body, links: [] }] as const,
    ),
  ];
  const compared = stories.filter(([id]) => wanted.has(id)).slice(0, MAX_RECORDS);
  return new Map(await mapInSlices(compared, ([id, story]) => [id, storyKeys(story)] as const));
}

/** The link of a post, which of a crosspost is the address of the original, and its own address. */
function linksOf(id: string, url: string | null, permalink: string): string[] {
  const { origin } = SOURCES.siteOf(id);
  return [url ?? permalink, permalink].map((link) => (link.startsWith('/') ? origin + link : link));
}
