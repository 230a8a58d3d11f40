import { Injectable } from '@nestjs/common';
import type { Sql } from '../database/sql.js';
import { VersionedCountCache } from '../database/versioned-count-cache.js';
import { invalidCursor } from '../http/pages/cursor.js';
import { type Ranking, rankingAt } from './relevance/ranking.js';
import { correctableWords, correctedTrees, lengthsOf, type VocabularyWord } from './query/corrections.js';
import { normalForm } from './query/normal-form.js';
import { parseQuery } from './query/parse-query.js';
import { rankedWords } from './query/ranked-slots.js';
import { inSnapshot, type RunSearch, SearchDatabase } from './search-database.js';
import type {
  BucketRow,
  FacetRow,
  FacetsRequest,
  KeywordRow,
  KeywordsRequest,
  PageRequest,
  Restriction,
  RowsRequest,
  SearchEngine,
  SearchFilter,
  SearchPage,
  SearchRequest,
  SeriesRequest,
} from './search-request.js';
import { facetParts } from './facet-parts.js';
import { isByRelevance, type SearchedTable } from './searched-table.js';
import { BlockCache } from './segments/read/block-cache.js';
import { SegmentIndex } from './segments/read/segment-index.js';
import { comparedFilter } from './sql/aggregates.js';
import { isReadInOrder } from './sql/conditions.js';
import { selectRows } from './sql/page-statements.js';
import { selectVocabulary } from './sql/vocabulary.js';
import { knownCount, StatementSearch } from './sql/statement-search.js';

/** Maximum number of suggested queries. */
const MAX_SUGGESTIONS = 3;

/** What is kept of a table between searches. */
interface TableState {
  index: SegmentIndex;
  counts: VersionedCountCache;
}

/**
 * Searches the posts and comments of workspaces. All parts of an answer come from one snapshot, and totals are exact.
 * Segments answer where they can, otherwise statements over the table. Every method throws the problems of
 * {@link SearchDatabase.run}.
 */
@Injectable()
export class SearchService {
  private readonly tables = new Map<SearchedTable, TableState>();

  constructor(
    private readonly database: SearchDatabase,
    private readonly blocks: BlockCache,
  ) {}

  /** Bytes that the index takes in this process. */
  get indexBytes(): number {
    const values = [...this.tables.values()].map(({ index }) => index.valueBytes);
    return values.reduce((sum, bytes) => sum + bytes, this.blocks.bytes);
  }

  /**
   * A page of rows with the total of the filter, which is counted only if rows have changed since it was last counted.
   * Throws 400 `invalid_cursor` for a position in relevance order that has a different number of words.
   */
  page<Row extends object>(request: PageRequest): Promise<SearchPage<Row>> {
    const { table, workspaceId, filter, order } = request;
    const { counts } = this.stateOf(table);
    return this.database.run(workspaceId, async (run) => {
      const lastCount = counts.last(workspaceId, filter);
      if (!isByRelevance(order) && isReadInOrder(table, filter, lastCount)) {
        const rows = await new StatementSearch(run).rows<Row>({ ...request, ranking: null });
        const known = knownCount(request, rows[0], lastCount);
        if (known !== null) return { rows, total: known.total };
      }
      const { rows, total, revision } = await this.fromEngine(request, run, async (engine) =>
        engine.page<Row>({ ...request, lastCount, ranking: await rankingOf(request, engine) }),
      );
      counts.set(workspaceId, filter, { total, revision });
      return { rows, total };
    });
  }

  /** How many rows match. */
  count(request: SearchRequest): Promise<number> {
    return this.answer(request, async (engine) => (await engine.count(request)).total);
  }

  /**
   * Counts of matching rows by the values of `by`, and the total. With `isMulti`, a field with a filter of its own is
   * counted without that filter.
   */
  facets(request: FacetsRequest & { isMulti?: boolean }): Promise<FacetRow[]> {
    const parts = request.isMulti === true ? facetParts(request) : [request];
    return this.database.run(request.workspaceId, (run) =>
      inSnapshot(run, async () => {
        const rows: FacetRow[] = [];
        for (const [index, part] of parts.entries()) {
          const engine = await this.engine(part, run);
          if (part.by.length === 0)
            rows.push({ facet: 'total', value: null, count: (await engine.count(part)).total });
          else
            rows.push(...(await engine.facets(part)).filter(({ facet }) => index === 0 || facet !== 'total'));
        }
        return rows;
      }),
    );
  }

  /** Counts of matching rows by time bucket, with a row for each value of the split. */
  timeSeries(request: SeriesRequest): Promise<BucketRow[]> {
    return this.answer(request, (engine) => engine.timeSeries(request));
  }

  /** The most frequent keywords of matching rows, each with its count in the rows compared with. */
  keywords(request: KeywordsRequest): Promise<KeywordRow[]> {
    const other = comparedFilter(request);
    return this.answer(request, (engine) => engine.keywords(request), other === null ? [] : [other]);
  }

  /**
   * Up to three queries like that of the filter, with misspelt words corrected, that do have results. Looks for words
   * among those of the newest rows.
   */
  async suggestions(request: SearchRequest): Promise<string[]> {
    const { tree } = parseQuery(request.filter.q ?? '');
    const words = correctableWords(tree);
    if (tree === null || words.length === 0) return [];
    const { table, workspaceId, filter } = request;
    const sql = selectVocabulary(
      table,
      workspaceId,
      words.flatMap(({ lexemes }) => lexemes),
      lengthsOf(words),
    );
    const vocabulary = await this.database.run(workspaceId, (run) => run<VocabularyWord>(sql));
    const found: string[] = [];
    for (const corrected of await correctedTrees(tree, words, vocabulary)) {
      const q = normalForm(corrected);
      if ((await this.count({ table, workspaceId, filter: { ...filter, q } })) > 0) found.push(q);
      if (found.length === MAX_SUGGESTIONS) break;
    }
    return found;
  }

  /** The statement that reads the first rows in order, ranked as the first page of a list without the restriction. */
  async statement(request: RowsRequest & { restriction?: Restriction }): Promise<Sql> {
    const ranking = isByRelevance(request.order)
      ? await this.database.run(request.workspaceId, (run) =>
          this.fromEngine(request, run, (engine) => rankingOf({ ...request, after: null }, engine)),
        )
      : null;
    return selectRows({ ...request, ranking });
  }

  private answer<T>(
    request: SearchRequest,
    ask: (engine: SearchEngine) => Promise<T>,
    more: readonly SearchFilter[] = [],
  ): Promise<T> {
    return this.database.run(request.workspaceId, (run) => this.fromEngine(request, run, ask, more));
  }

  /** Answers in one snapshot, from segments if they can answer the filter and those in `more`. */
  private fromEngine<T>(
    request: SearchRequest,
    run: RunSearch,
    ask: (engine: SearchEngine) => Promise<T>,
    more: readonly SearchFilter[] = [],
  ): Promise<T> {
    return inSnapshot(run, async () => ask(await this.engine(request, run, more)));
  }

  private async engine(
    { table, workspaceId, filter }: SearchRequest,
    run: RunSearch,
    more: readonly SearchFilter[] = [],
  ): Promise<SearchEngine> {
    const segments = await this.stateOf(table).index.open(workspaceId, [filter, ...more], run);
    return segments ?? new StatementSearch(run);
  }

  private stateOf(table: SearchedTable): TableState {
    let state = this.tables.get(table);
    if (state === undefined) {
      state = { index: new SegmentIndex(table, this.blocks), counts: new VersionedCountCache() };
      this.tables.set(table, state);
    }
    return state;
  }
}

/** What scores depend on: the ranking of the pages before, or a new one for a first page; null for other orders. */
async function rankingOf(request: PageRequest, engine: SearchEngine): Promise<Ranking | null> {
  if (!isByRelevance(request.order)) return null;
  const words = rankedWords(request.filter.q);
  if (request.after === null) return engine.ranking(request, words);
  const known = rankingAt(words, request.after.value);
  if (known === null) throw invalidCursor();
  return known;
}
