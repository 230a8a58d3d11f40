import { mapInSlices } from '../../common/slices.js';
import type { Condition } from '../query/condition.js';
import { anchorsOf } from './anchors.js';
import type { MatchedRecord } from './matched-record.js';
import { endOf, hasEnd, holds, NOWHERE, type Numbered, numbered } from './numbered-condition.js';
import { RecordWords } from './record-words.js';
import { WordNumbers } from './word-numbers.js';

/** A query that a record matches if it has the word under which this is listed, and the rest holds. */
interface Candidate {
  readonly query: number;
  readonly rest: Numbered | null;
  /** The record for which it was evaluated last. */
  triedIn: number;
}

/**
 * Finds which of many queries a record matches. Each query is listed under the rarest words of which the record needs
 * one, and only the conditions that the word does not decide are evaluated. Memory is proportional to the words of the queries.
 */
export class QueryMatcher {
  private readonly numbers = new WordNumbers();
  private readonly words = new RecordWords(this.numbers);
  /** By query: a word or phrase, or several of which one is enough, whose place may be asked for; others are not kept. */
  private readonly placed: (Numbered | undefined)[] = [];
  /** By query: the record that it matched last. */
  private readonly foundIn: number[] = [];
  /** By word: the queries that are listed under it. */
  private readonly listed: (Candidate[] | undefined)[] = [];
  /** Queries that can match without any word: exclusions, comparisons. */
  private readonly unlisted: { query: number; condition: Numbered }[] = [];
  private round = 0;

  private constructor() {}

  /** Compiles queries in time slices, so that the event loop is not blocked; `now` returns milliseconds. */
  static async compile(queries: readonly Condition[], now?: () => number): Promise<QueryMatcher> {
    const matcher = new QueryMatcher();
    await mapInSlices(queries, (query) => matcher.add(query), now);
    return matcher;
  }

  /** Number of lexemes and queries, to which memory is proportional. */
  get size(): number {
    return this.numbers.lexemes + this.placed.length;
  }

  /** Calls `found` with the index of every query that the record matches, each once. */
  match(record: MatchedRecord, found: (query: number) => void): void {
    this.round += 1;
    const { words, round } = this;
    words.read(record);
    for (let at = 0; at < words.count; at += 1) {
      const candidates = this.listed[words.found[at]!];
      if (candidates === undefined) continue;
      for (let index = 0; index < candidates.length; index += 1) {
        const candidate = candidates[index]!;
        if (candidate.triedIn === round) continue;
        candidate.triedIn = round;
        const { query, rest } = candidate;
        if (this.foundIn[query] === round || (rest !== null && !holds(rest, record, words))) continue;
        this.foundIn[query] = round;
        found(query);
      }
    }
    for (const { query, condition } of this.unlisted) if (holds(condition, record, words)) found(query);
  }

  /** Where a query of words, or the first of several, ends first in the record that was matched last; -1 for others. */
  endOf(query: number): number {
    const condition = this.placed[query];
    return condition === undefined ? NOWHERE : endOf(condition, this.words);
  }

  private add(whole: Condition): void {
    const condition = numbered(whole, this.numbers);
    const query = this.placed.push(hasEnd(condition) ? condition : undefined) - 1;
    this.foundIn.push(0);
    const anchors = anchorsOf(whole);
    if (anchors === null) this.unlisted.push({ query, condition });
    const candidates = new Map<Condition | null, Candidate>();
    for (const { slot, rest } of anchors ?? []) {
      const candidate = candidates.get(rest) ?? {
        query,
        rest: rest === null || rest === whole ? rest && condition : numbered(rest, this.numbers),
        triedIn: 0,
      };
      candidates.set(rest, candidate);
      (this.listed[this.numbers.of(slot)] ??= []).push(candidate);
    }
  }
}
