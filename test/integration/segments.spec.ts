import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import { BlockCache } from '../../src/search/segments/read/block-cache.js';
import { SegmentBuilder } from '../../src/search/segments/build/segment-builder.js';
import { SegmentIndex } from '../../src/search/segments/read/segment-index.js';
import { connect, createTestDatabase, openDataSource } from '../support/database.js';
import {
  insertRows,
  SegmentComparison,
  someFilter,
  someSeries,
  SUBJECTS,
} from '../support/segment-comparison.js';

const COMBINATIONS = 60;

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);

/** A short version of `test/faults/segments.spec.ts`, without concurrent writes. */
describe('a search of segments', () => {
  let client: pg.Client;
  let workspaceId: string;

  beforeAll(async () => {
    client = await connect(database.url);
  });
  beforeEach(async () => {
    workspaceId = randomUUID();
    await client.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, [workspaceId]);
  });
  afterAll(async () => {
    await Promise.all([client.end(), dataSource.destroy()]);
  });

  const segmentRows = async (): Promise<number[]> => {
    const { rows } = await client.query<{ count: number }>(
      'SELECT rows AS count FROM search_segments WHERE workspace_id = $1 ORDER BY rows DESC',
      [workspaceId],
    );
    return rows.map(({ count }) => count);
  };

  it.each(['posts', 'comments'] as const)(
    'equals statements over %s, with merged segments and with rows that changed since',
    async (kind) => {
      const { table, filters, insert, id, splits, sorts } = SUBJECTS[kind];
      const builder = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource), 1);
      const asked = kind === 'posts' ? (['facets', 'keywords'] as const) : (['facets'] as const);
      const search = new SegmentIndex(table, new BlockCache(), { leastRows: 0, mostChanged: 1_000 });
      const comparison = new SegmentComparison(client, workspaceId);
      const change = (numbers: number[]) =>
        client.query(
          `UPDATE ${kind} SET score = (score + 13) % 100, author = 'Author2' WHERE workspace_id = $1 AND id = ANY ($2)`,
          [workspaceId, numbers.map(id)],
        );
      // The ninth step merges the segments of the others.
      for (let last = 30; last <= 270; last += 30) {
        await insertRows(client, insert, [workspaceId, last - 29, last]);
        await change([last - 30, last - 29]);
        await builder.build({ workspaceId, kind });
      }
      expect(await segmentRows()).toEqual([270]);
      await insertRows(client, insert, [workspaceId, 271, 300]);
      await client.query(
        `UPDATE ${kind} SET ${kind === 'posts' ? 'title' : 'body'} = 'Zanzibar', search = '''zanzibar'':1'
         WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id(290)],
      );
      await builder.build({ workspaceId, kind });
      expect(await segmentRows()).toEqual([270, 30]);
      await change([4, 275]);
      await client.query(`DELETE FROM ${kind} WHERE workspace_id = $1 AND id = ANY ($2)`, [
        workspaceId,
        [5, 280].map(id),
      ]);
      await insertRows(client, insert, [workspaceId, 301, 310]);
      // A page of one row.
      const only = { q: 'zanzibar' };
      expect(await comparison.compare(table, search, only, 'facets')).toBe(1);
      await comparison.compareRanking(table, search, only, 'desc');
      const byScore = { sort_by: 'score', sort_order: 'desc' } as const;
      expect(await comparison.compareOrder(table, search, only, byScore)).toBe(true);
      // Compares the counts of keywords with those in the preceding period.
      const period = { created_after: '2026-01-20T00:00:00Z', created_before: '2026-01-30T00:00:00Z' };
      if (kind === 'posts')
        expect(await comparison.compare(table, search, period, 'keywords')).toBeGreaterThan(9);
      let sorted = 0;
      await fc.assert(
        fc.asyncProperty(
          someFilter(filters),
          fc.oneof(fc.constantFrom<('facets' | 'keywords')[]>(...asked), someSeries(splits)),
          fc.constantFrom<('asc' | 'desc')[]>('asc', 'desc'),
          fc.constantFrom(...sorts),
          async (filter, what, direction, sort) => {
            await comparison.compare(table, search, filter, what);
            if (filter.q !== undefined) await comparison.compareRanking(table, search, filter, direction);
            const order = { sort_by: sort, sort_order: direction };
            if (await comparison.compareOrder(table, search, filter, order)) sorted += 1;
          },
        ),
        { numRuns: COMBINATIONS, seed: 12, endOnFailure: true },
      );
      expect(sorted).toBeGreaterThan(5);
    },
  );

  it('counts the values of a split with the most rows, and all others together', async () => {
    const builder = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource), 1);
    const index = new SegmentIndex(POST_SEARCH, new BlockCache(), { leastRows: 0, mostChanged: 1_000 });
    const comparison = new SegmentComparison(client, workspaceId);
    await client.query(SUBJECTS.posts.insert, [workspaceId, 1, 600]);
    await client.query(
      `UPDATE posts SET forum = 'Forum' || substr(id, 4)::int % 40 % 31 WHERE workspace_id = $1`,
      [workspaceId],
    );
    await builder.build({ workspaceId, kind: 'posts' });
    await client.query(`UPDATE posts SET forum = 'FORUM3' WHERE workspace_id = $1 AND id = 't3_7'`, [
      workspaceId,
    ]);
    for (const interval of ['hour', 'day', 'month'] as const) {
      const series = { interval, timezone: 'Europe/Berlin', splitBy: 'forum' };
      expect(await comparison.compare(POST_SEARCH, index, {}, series)).toBe(600);
    }
  });
});
