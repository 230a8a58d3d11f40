import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { Sql } from '../../src/database/sql.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import type { RunSearch, SearchDatabase } from '../../src/search/search-database.js';
import type { SearchFilter } from '../../src/search/search-request.js';
import { SearchService } from '../../src/search/search.service.js';
import { BlockCache } from '../../src/search/segments/read/block-cache.js';
import { SegmentBuilder } from '../../src/search/segments/build/segment-builder.js';
import { SegmentIndex } from '../../src/search/segments/read/segment-index.js';
import { connect, createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';
import {
  insertRows,
  INSERT_COMMENTS,
  INSERT_POSTS,
  SegmentComparison,
  someFilter,
  someSeries,
  SUBJECTS,
} from '../support/segment-comparison.js';

const COMBINATIONS = 1_000;
const ROWS = 500;
const NO_LIMITS = { leastRows: 0, mostChanged: 1_000_000 };

describe('segments', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let reader: pg.Client;
  let writer: pg.Client;
  let builder: SegmentBuilder;
  let workspaceId: string;
  let comparison: SegmentComparison;
  let read: RunSearch;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
    [reader, writer] = [await connect(database.url), await connect(database.url)];
    builder = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource), 1);
  });
  beforeEach(async () => {
    workspaceId = randomUUID();
    await writer.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, [workspaceId]);
    comparison = new SegmentComparison(reader, workspaceId);
    read = comparison.read;
  });
  afterAll(async () => {
    await Promise.all([reader.end(), writer.end(), dataSource.destroy()]);
  });

  /** The number of matching posts by segments; null when they cannot answer. */
  async function countBy(index: SegmentIndex, filter: SearchFilter): Promise<number | null> {
    const segments = await index.open(workspaceId, [filter], read);
    return segments && (await segments.count({ table: POST_SEARCH, workspaceId, filter })).total;
  }

  async function buildAll(): Promise<void> {
    for (let due = await builder.due(); due.length > 0; due = await builder.due())
      for (const table of due) {
        await builder.build(table);
        await builder.rewrite(table);
      }
  }

  it.each(['posts', 'comments'] as const)(
    'equal statements over the table while %s are written and merged',
    async (kind) => {
      const { table, filters, insert, id, splits, sorts } = SUBJECTS[kind];
      const asked = kind === 'posts' ? (['facets', 'keywords'] as const) : (['facets'] as const);
      const search = new SegmentIndex(table, new BlockCache(), NO_LIMITS);
      await insertRows(writer, insert, [workspaceId, 1, ROWS]);
      await builder.build({ workspaceId, kind });
      let isWriting = true;
      const writes = (async () => {
        let written = 0;
        for (let next = ROWS + 1; isWriting; next += 5) {
          await insertRows(writer, insert, [workspaceId, next, next + 4]);
          await writer.query(
            `UPDATE ${kind} SET score = (score + 13) % 100, sentiment_label = 'negative', author = 'Author2'
             WHERE workspace_id = $1 AND id = ANY ($2)`,
            [workspaceId, [id(next - 50), id(next - 51)]],
          );
          await writer.query(`DELETE FROM ${kind} WHERE workspace_id = $1 AND id = ANY ($2)`, [
            workspaceId,
            [0, 1, 2, 3, 4].map((n) => id(next - ROWS + n)),
          ]);
          if (next % 20 === 1) await insertRows(writer, insert, [workspaceId, next - ROWS, next - ROWS + 1]);
          written += 1;
        }
        return written;
      })();
      const builds = (async () => {
        let built = 0;
        while (isWriting) {
          await builder.build({ workspaceId, kind });
          built += 1;
        }
        return built;
      })();
      const totals = new Set<number | null>();
      let sorted = 0;
      await fc
        .assert(
          fc.asyncProperty(
            someFilter(filters),
            fc.oneof(fc.constantFrom<('facets' | 'keywords')[]>(...asked), someSeries(splits)),
            fc.constantFrom<('asc' | 'desc')[]>('asc', 'desc'),
            fc.constantFrom(...sorts),
            async (filter, what, direction, sort) => {
              totals.add(await comparison.compare(table, search, filter, what));
              if (filter.q === undefined) return;
              await comparison.compareRanking(table, search, filter, direction);
              const order = { sort_by: sort, sort_order: direction };
              if (await comparison.compareOrder(table, search, filter, order)) sorted += 1;
            },
          ),
          { numRuns: COMBINATIONS, seed: 12, endOnFailure: true },
        )
        .finally(() => (isWriting = false));
      expect(await writes).toBeGreaterThan(10);
      expect(await builds).toBeGreaterThan(10);
      expect(totals.size).toBeGreaterThan(20);
      expect(totals).toContain(null);
      expect(sorted).toBeGreaterThan(100);
    },
  );

  it('of many rows equal statements over the table, with dense terms and outdated rows', async () => {
    const search = new SegmentIndex(POST_SEARCH, new BlockCache(), NO_LIMITS);
    await insertRows(writer, INSERT_POSTS, [workspaceId, 1, 12_000]);
    await buildAll();
    await writer.query(`UPDATE posts SET forum = 'moved' WHERE workspace_id = $1 AND score < 10`, [
      workspaceId,
    ]);
    await buildAll();
    await writer.query('DELETE FROM posts WHERE workspace_id = $1 AND score = 50', [workspaceId]);
    const series = { interval: 'day', timezone: 'UTC', splitBy: 'forum' } as const;
    for (const q of ['battery', 'title:battery', 'battery -title:charger', '-solar', '"battery usb battery"'])
      for (const forum of [undefined, 'chess', 'moved'])
        expect(
          await comparison.compare(POST_SEARCH, search, { q, forum } as SearchFilter, series),
        ).toBeGreaterThan(100);
  });

  it('are built and read without the changed rows of other workspaces', async () => {
    const search = new SegmentIndex(POST_SEARCH, new BlockCache(), NO_LIMITS);
    await insertRows(writer, INSERT_POSTS, [workspaceId, 1, 100]);
    await buildAll();
    const other = randomUUID();
    await writer.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'other')`, [other]);
    await insertRows(writer, INSERT_POSTS, [other, 1, 100]);
    await writer.query(`UPDATE posts SET score = 1 WHERE workspace_id = $1 AND id = 't3_1'`, [workspaceId]);
    const series = { interval: 'day', timezone: 'UTC', splitBy: null } as const;
    for (const what of ['facets', 'keywords', series] as const)
      expect(
        await comparison.compare(POST_SEARCH, search, { forum: 'chess' } as SearchFilter, what),
      ).toBeGreaterThan(50);
    // As many as one step of the other workspace would take.
    await writer.query('UPDATE search_changes SET row_count = 65536 WHERE workspace_id = $1', [other]);
    expect(await builder.build({ workspaceId, kind: 'posts' })).toMatchObject({ rows: 1 });
    await writer.query('DELETE FROM workspaces WHERE id = $1', [other]);
  });

  it('stay unchanged when a build fails at any statement', async () => {
    const search = new SegmentIndex(POST_SEARCH, new BlockCache(), NO_LIMITS);
    await insertRows(writer, INSERT_POSTS, [workspaceId, 1, 200]);
    await buildAll();
    await writer.query('UPDATE posts SET score = 1000 WHERE workspace_id = $1 AND score < 50', [workspaceId]);
    const total = () => countBy(search, { min_score: 60 } as SearchFilter);
    const expected = await total();
    let isDone = false;
    let failing = 0;
    while (!isDone) {
      failing += 1;
      const runner = new TransactionRunner(dataSource);
      const interrupted: Pick<TransactionRunner, 'runInSnapshot'> = {
        runInSnapshot: (work) =>
          runner.runInSnapshot((tx) => {
            let left = failing;
            const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
              const rows: unknown = await tx.query(text, parameters);
              if ((left -= 1) === 0) throw new Error('interrupted');
              return rows;
            };
            return work(Object.assign(Object.create(tx) as typeof tx, { query }));
          }),
      };
      const build = new SegmentBuilder([POST_SEARCH], interrupted as TransactionRunner).build({
        workspaceId,
        kind: 'posts',
      });
      isDone = await build.then(
        () => true,
        () => false,
      );
      expect(await total()).toBe(expected);
    }
    expect(failing).toBeGreaterThan(8);
  });

  it('leave no transaction open when a search over them fails', async () => {
    const failing: RunSearch = Object.assign(
      <Row extends object>(sql: Sql): Promise<Row[]> =>
        /^(BEGIN|COMMIT|ROLLBACK)/.test(sql.text) ? read<Row>(sql) : Promise.reject(new Error('lost')),
      { inBinary: read.inBinary },
    );
    const database: Pick<SearchDatabase, 'run'> = { run: (_, search) => search(failing) };
    const service = new SearchService(database as SearchDatabase, new BlockCache());
    await expect(service.count({ table: POST_SEARCH, workspaceId, filter: {} })).rejects.toThrow('lost');
    const { rows } = await reader.query(`SELECT current_setting('transaction_isolation') AS isolation`);
    expect(rows).toEqual([{ isolation: 'read committed' }]);
  });

  it('contain no words of deleted rows after a day, however few were deleted', async () => {
    const usual = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource));
    const isDue = async () => (await usual.due()).some((due) => due.workspaceId === workspaceId);
    const blocksWithWord = async () =>
      (
        await read({
          text: `SELECT FROM search_blocks WHERE workspace_id = $1 AND position('zanzibar'::bytea IN data) > 0`,
          parameters: [workspaceId],
        })
      ).length;
    await insertRows(writer, INSERT_POSTS, [workspaceId, 1, 200]);
    await writer.query(
      `UPDATE posts SET title = 'Zanzibar', search = '''zanzibar'':1A' WHERE workspace_id = $1 AND id = 't3_7'`,
      [workspaceId],
    );
    await buildAll();
    await writer.query(`DELETE FROM posts WHERE workspace_id = $1 AND id = 't3_7'`, [workspaceId]);
    expect(await isDue()).toBe(false);
    await writer.query(`UPDATE search_changes SET changed_at = changed_at - interval '12 hours'`);
    expect(await isDue()).toBe(true);
    await usual.build({ workspaceId, kind: 'posts' });
    expect([await isDue(), await blocksWithWord()]).toEqual([false, 1]);
    await writer.query(`UPDATE search_segments SET erased_since = erased_since - interval '12 hours'`);
    // A row that changed meanwhile stays listed, and its change is read from the table.
    await writer.query(
      `UPDATE posts SET title = 'Timbuktu', search = '''timbuktu'':1A' WHERE workspace_id = $1 AND id = 't3_9'`,
      [workspaceId],
    );
    expect(await isDue()).toBe(true);
    await usual.rewrite({ workspaceId, kind: 'posts' });
    expect([await isDue(), await blocksWithWord()]).toEqual([false, 0]);
    const search = new SegmentIndex(POST_SEARCH, new BlockCache(), NO_LIMITS);
    for (const [q, total] of Object.entries({ zanzibar: 0, timbuktu: 1, '-zanzibar': 199 }))
      expect(await comparison.compare(POST_SEARCH, search, { q }, 'facets')).toBe(total);
  });

  it.each([
    ['a changed score', 'score = 77', false],
    ['a withdrawn text', `title = '[deleted]'`, true],
  ])('become stale by %s: %j', async (_name, change, isStale) => {
    await insertRows(writer, INSERT_POSTS, [workspaceId, 1, 50]);
    await buildAll();
    await writer.query(`UPDATE posts SET ${change} WHERE workspace_id = $1 AND id = 't3_7'`, [workspaceId]);
    await builder.build({ workspaceId, kind: 'posts' });
    const { rows } = await writer.query(
      'SELECT FROM search_segments WHERE workspace_id = $1 AND erased_since IS NOT NULL',
      [workspaceId],
    );
    expect(rows).toHaveLength(isStale ? 1 : 0);
  });

  it('are built again after a backup has left them out', async () => {
    const search = new SegmentIndex(COMMENT_SEARCH, new BlockCache(), NO_LIMITS);
    await insertRows(writer, INSERT_COMMENTS, [workspaceId, 1, 120]);
    await buildAll();
    await writer.query('DELETE FROM search_segments WHERE workspace_id = $1', [workspaceId]);
    const restored = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource), 1);
    await restored.listUnlisted();
    await buildAll();
    const { rows } = await writer.query('SELECT rows FROM search_segments WHERE workspace_id = $1', [
      workspaceId,
    ]);
    expect(rows).toEqual([{ rows: 120 }]);
    expect(await comparison.compare(COMMENT_SEARCH, search, { q: 'forum:hn:ask' }, 'facets')).toBe(10);
  });

  it('take in 45,000 changed rows in one step, before stale segments are rewritten', async () => {
    const usual = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource));
    // Each too large to be merged with another.
    const rows = 34_000;
    for (let segment = 0; segment < 3; segment += 1) {
      await writer.query(INSERT_POSTS, [workspaceId, segment * rows + 1, (segment + 1) * rows]);
      await usual.build({ workspaceId, kind: 'posts' });
    }
    await writer.query(`UPDATE search_segments SET erased_since = '-infinity' WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    await writer.query(
      `UPDATE posts SET score = score + 1 WHERE workspace_id = $1 AND substr(id, 4)::int <= 45000`,
      [workspaceId],
    );
    const changed = async () =>
      (await read({ text: 'SELECT FROM search_changes WHERE workspace_id = $1', parameters: [workspaceId] }))
        .length;
    expect(await changed()).toBeGreaterThan(0);
    const steps: (string | number)[] = [];
    for (const name of ['build', 'rewrite'] as const) {
      const step = usual[name].bind(usual);
      jest.spyOn(usual, name).mockImplementation(async (table) => {
        const built = await step(table);
        steps.push(name, built.rows, await changed());
        return built;
      });
    }
    // Other tests may have left rows of their workspaces.
    const due = usual.due.bind(usual);
    jest
      .spyOn(usual, 'due')
      .mockImplementation(async () => (await due()).filter((table) => table.workspaceId === workspaceId));
    await usual.work();
    // The rewrite writes the other rows of the three segments.
    expect(steps).toEqual(['build', 45_000, 0, 'rewrite', 3 * rows - 45_000, 0]);
    const search = new SegmentIndex(POST_SEARCH, new BlockCache(), {
      leastRows: 20_000,
      mostChanged: 20_000,
    });
    expect(await countBy(search, {})).toBe(3 * rows);
  });

  it('of a truncated table are deleted', async () => {
    const search = new SegmentIndex(POST_SEARCH, new BlockCache(), { leastRows: -1, mostChanged: 1 });
    await insertRows(writer, INSERT_POSTS, [workspaceId, 1, 100]);
    // Other tests may have left many rows to take in.
    await builder.build({ workspaceId, kind: 'posts' });
    await writer.query('TRUNCATE posts');
    expect(await countBy(search, {})).toBe(0);
  });
});
