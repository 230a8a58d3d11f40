import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock.js';
import { Problem } from '../../http/problems/problem.js';
import type { SavedSearch } from '../searches/saved-search.entity.js';
import { SavedSearchesRepository } from '../searches/saved-searches.repository.js';
import { feedDocument, FEED_FORMS, type FeedForm, type FeedHead } from './feed-documents.js';
import { FeedItems } from './feed-items.js';

const TOKEN_BYTES = 32;
/** A feed is at most this old. */
const FRESH_MS = 50_000;
/** After this time a kept feed is only served once its search still has the token. */
const CHECKED_MS = 5_000;
/** Memory for kept feeds, in characters of their documents. */
const MAX_KEPT = 50_000_000;

/** A feed in one form, ready to be sent. */
export interface ReadFeed {
  body: string;
  etag: string;
  /** When this process first found this body: after every change, also one that only removes. */
  lastModified: Date;
}

interface KeptFeed extends ReadFeed {
  /** Kind of records that were searched. */
  search: string;
  searchedAt: number;
  checkedAt: number;
}

/** The names of the addresses of a feed's forms, each with the token. */
export type FeedFiles = Record<FeedForm, string>;

/**
 * Feeds of saved searches. A feed is kept in memory for less than a minute, so that polls cost one lookup in five
 * seconds and one search a minute, however many they are.
 */
@Injectable()
export class FeedsService {
  private readonly kept = new LRUCache<string, KeptFeed>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ body }) => body.length + 1,
  });
  private readonly reading = new Map<string, Promise<KeptFeed>>();

  constructor(
    private readonly searches: SavedSearchesRepository,
    private readonly items: FeedItems,
    private readonly clock: Clock,
  ) {}

  /** Gives the search a new secret token in place of an earlier one, and returns the names of its files. Throws 404. */
  async create(workspaceId: string, searchId: string): Promise<FeedFiles> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await this.setToken(workspaceId, searchId, hashOf(token));
    const names = Object.keys(FEED_FORMS).map((form) => [form, `${token}.${form}`]);
    return Object.fromEntries(names) as FeedFiles;
  }

  /** Ends the feed of a search. Throws 404 for an unknown search. */
  async end(workspaceId: string, searchId: string): Promise<void> {
    await this.setToken(workspaceId, searchId, null);
  }

  /** The feed with a token, read at the service with the address `site` as `url`. Throws 404 for an unknown one. */
  async read(
    workspaceId: string,
    token: string,
    form: FeedForm,
    { url, site }: Pick<FeedHead, 'url' | 'site'>,
  ): Promise<ReadFeed> {
    const key = JSON.stringify([workspaceId, hashOf(token), form, url]);
    const now = this.clock.now().getTime();
    const kept = this.kept.get(key);
    if (kept !== undefined && now - kept.checkedAt < CHECKED_MS && now - kept.searchedAt < FRESH_MS)
      return kept;
    let reading = this.reading.get(key);
    if (reading === undefined) {
      reading = this.readAnew(workspaceId, token, form, { url, site }, kept).finally(() =>
        this.reading.delete(key),
      );
      this.reading.set(key, reading);
    }
    const feed = await reading;
    this.kept.set(key, feed);
    return feed;
  }

  private async readAnew(
    workspaceId: string,
    token: string,
    form: FeedForm,
    addresses: Pick<FeedHead, 'url' | 'site'>,
    kept: KeptFeed | undefined,
  ): Promise<KeptFeed> {
    const found = await this.searches.findByFeed(workspaceId, hashOf(token));
    if (found === null) throw Problem.notFound('feed');
    const checkedAt = this.clock.now().getTime();
    const search = JSON.stringify([found.name, found.of, found.q, found.filters]);
    if (kept?.search === search && checkedAt - kept.searchedAt < FRESH_MS) return { ...kept, checkedAt };
    const items = await this.items.newest(workspaceId, found);
    const head = { workspaceId, searchId: found.id, title: found.name, ...addresses };
    const body = feedDocument(form, head, items);
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const lastModified = kept?.etag === etag ? kept.lastModified : new Date(checkedAt);
    return { body, etag, lastModified, search, searchedAt: checkedAt, checkedAt };
  }

  private async setToken(workspaceId: string, id: string, hash: SavedSearch['feedTokenHash']): Promise<void> {
    if (!(await this.searches.setFeed(workspaceId, id, hash))) throw Problem.notFound('search');
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
