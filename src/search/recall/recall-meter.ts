import { Injectable } from '@nestjs/common';
import { EventLoopTurn } from '../../common/event-loop-turn.js';
import { FairTurns, NoTurnError } from '../../common/fair-turns.js';
import { Problem } from '../../http/problems/problem.js';
import { clientSignal } from '../../http/request/request-scope.js';
import { ConcurrencyQuotas } from '../../tenants/usage/concurrency-quotas.js';
import { normalForm } from '../query/normal-form.js';
import { MAX_QUERY_LENGTH, parseQuery } from '../query/parse-query.js';
import { inSnapshot, SearchDatabase } from '../search-database.js';
import type { SearchRequest } from '../search-request.js';
import { SearchService } from '../search.service.js';
import { type Missed, missedRows, missedSigns } from './missed-rows.js';
import { scoreRows } from './row-scores.js';
import { readSearched } from './searched-texts.js';
import { type SampledText, selectSample } from './select-sample.js';
import { candidatesOf, suggestedWords } from './suggested-words.js';

/** A query with one more word. */
export interface Suggestion {
  add: string;
  query: string;
  /** Expected number of further rows that are about the same. */
  gain: number;
  examples: string[];
}

/** How complete a search is; `missed` is null when there is too little to tell. */
export interface Recall {
  found: number;
  missed: Missed | null;
  suggestions: Suggestion[];
}

/** Rows of a table; `idColumn` has their public ids. */
export type SampledTable = SearchRequest & { idColumn: string };

/** Rows of each kind that are read: at least, to tell anything, and at most. */
const FOUND = { least: 20, most: 3_000 };
const OTHERS = { least: 100, most: 6_000 };
const MOST_EXAMPLES = 3;
/** Each takes about a second of a processor, so one runs at a time in a process. */
const TURNS = { running: () => 1, waiting: { total: 100, perTenant: 10 } };
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '5';

/** Estimates how many rows a query misses, and which words would find them, from a sample of texts. */
@Injectable()
export class RecallMeter {
  private readonly turns = new FairTurns(TURNS);

  constructor(
    private readonly searches: SearchService,
    private readonly database: SearchDatabase,
    private readonly concurrency: ConcurrencyQuotas,
  ) {}

  /**
   * The requests are for the same workspace and query, of one table each, and are measured together. Throws the problems of {@link SearchDatabase.run}; 503 `search_timeout` also
   * when other estimates take too long.
   */
  async measure(requests: readonly [SampledTable, ...SampledTable[]]): Promise<Recall> {
    const [{ workspaceId, filter }] = requests;
    const { q } = filter;
    const found = await this.count(requests);
    const all = requests.map((request) => ({ ...request, filter: { ...request.filter, q: undefined } }));
    const others = (await this.count(all)) - found;
    if (found < FOUND.least || others < OTHERS.least) return { found, missed: null, suggestions: [] };
    const [own, rest] = await this.database.run(workspaceId, (run) =>
      inSnapshot(run, async () => {
        const sample = async (isFound: boolean, rows: number, most: number): Promise<SampledText[]> => {
          const texts: SampledText[] = [];
          for (const request of requests)
            texts.push(...(await run<SampledText>(selectSample(request, isFound, { rows, most }))));
          return texts;
        };
        return [await sample(true, found, FOUND.most), await sample(false, others, OTHERS.most)] as const;
      }),
    );
    if (own.length < FOUND.least || rest.length < OTHERS.least)
      return { found, missed: null, suggestions: [] };
    const scale = others / rest.length;
    return this.inTurn(workspaceId, async (turn) => ({
      found,
      ...(await estimated({ q: q!, own: own, rest: rest, scale }, turn)),
    }));
  }

  private async count(requests: readonly SearchRequest[]): Promise<number> {
    let sum = 0;
    for (const request of requests) sum += await this.searches.count(request);
    return sum;
  }

  private async inTurn<T>(workspaceId: string, work: (turn: EventLoopTurn) => Promise<T>): Promise<T> {
    const signal = clientSignal();
    const leave = await this.concurrency.enter(workspaceId, 'concurrent_searches', signal);
    try {
      const free = await this.turns.take(workspaceId, { atMost: () => 1, waitMs: WAIT_MS, signal });
      try {
        return await work(new EventLoopTurn(signal));
      } finally {
        free();
      }
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error;
      throw new Problem('search_timeout', 'Other estimates of recall took too long. Retry later.', {
        headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      });
    } finally {
      leave();
    }
  }
}

/** Texts that a query found and others; each of these stands for `scale` rows. */
interface Sample {
  q: string;
  own: readonly SampledText[];
  rest: readonly SampledText[];
  scale: number;
}

async function estimated(
  { q, own, rest, scale }: Sample,
  turn: EventLoopTurn,
): Promise<Pick<Recall, 'missed' | 'suggestions'>> {
  const all = [...own, ...rest];
  const { tree } = parseQuery(q);
  const searched = await readSearched(
    all.map(({ text }) => text),
    all.map((_, row) => row < own.length),
    tree,
    turn,
  );
  const scores = await scoreRows(searched, turn);
  const missed = missedRows(searched, missedSigns(searched, scores));
  const candidates = await candidatesOf(searched, { scores, missed: missed.estimate }, turn);
  const rows = (count: number): number => Math.round(count * scale);
  return {
    missed: { estimate: rows(missed.estimate), low: rows(missed.low), high: rows(missed.high) },
    suggestions: suggestedWords(searched, candidates).flatMap(({ form, added, precision }) => {
      const query = withWord(normalForm(tree), form);
      if (query === null) return [];
      const best = [...added].sort((a, b) => scores.logits[b]! - scores.logits[a]!).slice(0, MOST_EXAMPLES);
      return [
        {
          add: form,
          query,
          gain: rows(precision * added.length),
          examples: best.map((row) => all[row]!.id),
        },
      ];
    }),
  };
}

/** The query that also finds a word, in normal form; null for a word that means something else in a query. */
function withWord(q: string, form: string): string | null {
  const { tree, notices } = parseQuery(`(${q}) OR ${form}`);
  const query = normalForm(tree);
  return notices.length > 0 || query.length > MAX_QUERY_LENGTH ? null : query;
}
