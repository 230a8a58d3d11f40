import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { givenEntries } from '../../common/collections.js';
import { EventLoopTurn } from '../../common/event-loop-turn.js';
import { newId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { clientSignal } from '../../http/request/request-scope.js';
import { SOURCES } from '../../platforms/registry.js';
import { SearchDatabase } from '../../search/search-database.js';
import type { SearchFilter } from '../../search/search-request.js';
import { SearchService } from '../../search/search.service.js';
import { ConcurrencyQuotas } from '../../tenants/usage/concurrency-quotas.js';
import { type Subject, SUBJECTS } from '../analytics/dto/analytics.dto.js';
import { refuseUnknown, TABLES } from '../analytics/subject.js';
import { keyOfComment } from '../comments/comment-keys.js';
import { clusterRows, type RowCluster } from './cluster-rows.js';
import { storyTitle } from './story-title.js';
import type { StoryScope } from './story.dto.js';
import { type StoredRecord, StoryRecordsRepository } from './story-records.repository.js';

/** Which posts or comments stories are made of. */
export interface StoryRequest {
  of: StoryScope;
  filter: SearchFilter;
}

/** Posts or comments about the same. */
export interface FoundStory {
  /** A uuid. */
  id: string;
  /** Id of the story that most of its posts or comments were in before, which may be another one; null for none. */
  formerId: string | null;
  title: string;
  size: number;
  firstAt: Date;
  lastAt: Date;
  sources: string[];
  forums: string[];
  growth: number;
  keywords: string[];
  /** Ids of the most telling ones, a comment's as `keyOfComment` makes it. */
  records: string[];
}

/** Stories, largest first, and the number of older rows that were not read. */
export interface FoundStories {
  stories: FoundStory[];
  leftOut: number;
}

type StoryIds = Pick<FoundStory, 'id' | 'formerId'>;

interface ReadRow {
  id: string;
  /** The id under which it is stored in a story. */
  recordId: string;
  forum: string;
  createdUtc: Date;
  title: string;
  text: string;
  url: string | null;
  permalink: string | null;
}

const MOST_ROWS = 10_000;
const MAX_CHARACTERS = 1_000;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const TEXT = `left(%, ${MAX_CHARACTERS}) AS text`;
const COLUMNS: Record<Subject, string> = {
  posts: `id, forum, created_utc AS "createdUtc", title, ${TEXT.replace('%', 'selftext')}, url, permalink`,
  comments: `comment_id AS id, forum, created_utc AS "createdUtc", '' AS title, ${TEXT.replace('%', 'body')},
    NULL AS url, NULL AS permalink`,
};

/** Puts posts or comments about the same event or subject together. */
@Injectable()
export class StoriesService {
  constructor(
    private readonly searches: SearchService,
    private readonly database: SearchDatabase,
    private readonly concurrency: ConcurrencyQuotas,
    private readonly records: StoryRecordsRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /** Stories of the last 30 days unless the filter has a start. Throws 400 for filters that the subject lacks. */
  async find(workspaceId: string, { of, filter: given }: StoryRequest): Promise<FoundStories> {
    const subjects = of === 'all' ? SUBJECTS : [of];
    for (const subject of subjects) refuseUnknown(subject, given, [], 'of');
    const since = new Date(this.clock.now().getTime() - DEFAULT_DAYS * DAY_MS).toISOString();
    const filter = { ...given, created_after: given.created_after ?? since };
    const read = await Promise.all(subjects.map((subject) => this.read(workspaceId, subject, filter)));
    const all = read.flatMap(({ newest }) => newest);
    const rows = all
      .sort((a, b) => a.createdUtc.getTime() - b.createdUtc.getTime() || (a.recordId < b.recordId ? -1 : 1))
      .slice(-MOST_ROWS);
    const leftOut = read.reduce((sum, { total }) => sum + total, 0) - rows.length;
    const leave = await this.concurrency.enter(workspaceId, 'concurrent_searches', clientSignal());
    try {
      const clusters = await clusterRows(rows.map(readable), new EventLoopTurn(clientSignal()));
      clusters.sort((a, b) => b.rows.length - a.rows.length || a.rows[0]! - b.rows[0]!);
      const ids = await this.identified(
        workspaceId,
        scopeOf({ of, filter: given }),
        clusters.map((cluster) => cluster.rows.map((row) => rows[row]!.recordId)),
        rows.map(({ recordId }) => recordId),
      );
      const now = this.clock.now().getTime();
      return { leftOut, stories: clusters.map((cluster, at) => described(ids[at]!, cluster, rows, now)) };
    } finally {
      leave();
    }
  }

  /** The newest posts or comments, and the number of all. */
  private async read(
    workspaceId: string,
    of: Subject,
    filter: SearchFilter,
  ): Promise<{ newest: ReadRow[]; total: number }> {
    const request = { table: TABLES[of], workspaceId, filter };
    const sql = await this.searches.statement({
      ...request,
      columns: COLUMNS[of],
      order: { sort_by: 'created_utc', sort_order: 'desc' },
      limit: MOST_ROWS,
    });
    const found = await this.database.run(workspaceId, (run) => run<Omit<ReadRow, 'recordId'>>(sql));
    const total = found.length < MOST_ROWS ? found.length : await this.searches.count(request);
    const recordId = of === 'posts' ? (id: string): string => id : keyOfComment;
    return { newest: found.map((row) => ({ ...row, recordId: recordId(row.id) })), total };
  }

  /** Stories that began in a period, largest first. */
  async newStories(
    workspaceId: string,
    request: StoryRequest,
    { from, to }: { from: Date; to: Date },
    limit: number,
  ): Promise<FoundStory[]> {
    const filter = { ...request.filter, created_before: to.toISOString() };
    const { stories } = await this.find(workspaceId, { ...request, filter });
    return stories.filter(({ firstAt }) => firstAt >= from).slice(0, limit);
  }

  /** Ids of a story's posts or comments after one; an empty `after` is the start. */
  async recordsOf(workspaceId: string, storyId: string, after: string, limit: number): Promise<string[]> {
    return this.records.ofStory(workspaceId, storyId, after, limit);
  }

  /** The ids of stories: of the former story that most of its records were in, unless it went to a larger one, or new ones. */
  private identified(
    workspaceId: string,
    scope: string,
    clusters: readonly string[][],
    all: readonly string[],
  ): Promise<StoryIds[]> {
    return this.transactions.run(async (tx) => {
      await this.records.lock(workspaceId, scope, tx);
      const known = await this.records.findScope(workspaceId, scope, all, tx);
      const former = new Map(known.map(({ recordId, storyId }) => [recordId, storyId]));
      const used = new Set<string>();
      const ids = clusters.map((records) => {
        const formerIds = mostFrequent(records.flatMap((recordId) => former.get(recordId) ?? []));
        const id = formerIds.find((one) => !used.has(one)) ?? newId();
        used.add(id);
        return { id, formerId: formerIds[0] ?? null };
      });
      const put: StoredRecord[] = clusters.flatMap((records, at) =>
        records
          .filter((recordId) => former.get(recordId) !== ids[at]!.id)
          .map((recordId) => ({ recordId, storyId: ids[at]!.id })),
      );
      const inStories = new Set(clusters.flat());
      const taken = [...former.keys()].filter((recordId) => !inStories.has(recordId));
      await this.records.change(workspaceId, scope, { put, taken }, tx);
      return ids;
    });
  }
}

/** What is a list of its own, whatever its time: a 64-bit integer as text. */
function scopeOf({ of, filter }: StoryRequest): string {
  const places = givenEntries(filter).filter(([name]) => !name.startsWith('created_'));
  const text = JSON.stringify([of, places.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(text).digest().readBigInt64BE(0).toString();
}

/** Different values, the most frequent first. */
function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
}

function readable({ id, title, text, url, permalink }: ReadRow) {
  const { origin } = SOURCES.siteOf(id);
  const links = [url, permalink].map((link) => (link?.startsWith('/') === true ? origin + link : link));
  return { title, text, links };
}

function described(
  ids: StoryIds,
  { rows: of, telling, keywords }: RowCluster,
  rows: readonly ReadRow[],
  now: number,
): FoundStory {
  const own = of.map((row) => rows[row]!);
  const { title, text } = rows[telling[0]!]!;
  const daysAgo = (days: number): number =>
    own.filter(({ createdUtc }) => Math.floor((now - createdUtc.getTime()) / DAY_MS) === days).length;
  return {
    ...ids,
    title: storyTitle({ title, text }),
    size: of.length,
    firstAt: own[0]!.createdUtc,
    lastAt: own.at(-1)!.createdUtc,
    sources: mostFrequent(own.map((row) => SOURCES.sourceOf(row.id))),
    forums: mostFrequent(own.map(({ forum }) => forum)),
    growth: daysAgo(0) - daysAgo(1),
    keywords,
    records: telling.map((row) => rows[row]!.recordId),
  };
}
