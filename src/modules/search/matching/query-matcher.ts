import { mapInSlices } from '../../../enrichment/slices.js';
import { readRecord, type TermFilter } from '../../../text/record.js';
import { type Lexeme, MAX_TERMS } from '../../../text/term-table.js';
import type { Condition, Slot } from '../query/condition.js';
import type { Operator } from '../query/query-tree.js';
import type { MatchedRecord } from './matched-record.js';
import { RecordLexemes } from './record-lexemes.js';
import { neededLexemes } from './needed-lexemes.js';

/** Position of conditions other than words. */
const NOWHERE = -1;

/** A condition whose lexemes are numbers of the matcher's vocabulary. */
type Numbered =
  | { kind: 'phrase'; slots: number[][]; positions: readonly number[]; field: 'title' | 'text' | null }
  | { kind: 'near'; slots: number[][]; distance: number; field: 'title' | 'text' | null }
  | { kind: 'not'; operand: Numbered }
  | { kind: 'and' | 'or'; operands: Numbered[] }
  | Exclude<Condition, { kind: 'phrase' | 'near' | 'not' | 'and' | 'or' }>;

/**
 * Finds which of many queries a record matches. Each query is listed under lexemes of which the record needs one, so
 * only queries that can match are evaluated. Memory is proportional to the words of the queries.
 */
export class QueryMatcher {
  private readonly vocabulary = new Map<string, number>();
  private readonly prefixes = new Map<string, number>();
  /** Distinct lengths of prefixes. */
  private readonly prefixLengths = new Set<number>();
  private readonly conditions: Numbered[] = [];
  /** By number of a lexeme: the queries that are listed under it. */
  private readonly listed: number[][] = [];
  /** Queries that can match without any lexeme: exclusions, comparisons. */
  private readonly unlisted: number[] = [];
  /** By query: whether it is a single word, which any of its lexemes finds. */
  private readonly isWord: boolean[] = [];
  /** By query: the record for which it was evaluated last. */
  private readonly rounds: number[] = [];
  private readonly lexemes = new RecordLexemes();
  private round = 0;
  private numbers = 0;
  private readonly filter: TermFilter = {
    known: new Uint8Array(MAX_TERMS),
    generation: 0,
    isNeeded: (lexemes) => lexemes.some((lexeme) => this.isNamed(lexeme)),
  };

  private constructor() {}

  /** Compiles queries in time slices, so that the event loop is not blocked; `now` returns milliseconds. */
  static async compile(queries: readonly Condition[], now?: () => number): Promise<QueryMatcher> {
    const matcher = new QueryMatcher();
    await mapInSlices(queries, (query) => matcher.add(query), now);
    return matcher;
  }

  /** Number of lexemes and queries, to which memory is proportional. */
  get size(): number {
    return this.numbers + this.conditions.length;
  }

  /** Calls `found` with the index of every query that the record matches, and the position where it ends, -1 if nowhere. */
  match(record: MatchedRecord, found: (query: number, end: number) => void): void {
    this.round += 1;
    this.lexemes.clear();
    const needed: number[] = [];
    for (const lexeme of readRecord(record.texts, record.language, this.filter))
      this.addLexeme(lexeme, needed);
    for (const number of needed)
      for (const query of this.listed[number]!) {
        if (this.rounds[query] === this.round) continue;
        this.rounds[query] = this.round;
        if (this.isWord[query]!) found(query, this.lexemes.firstPosition(number));
        else this.evaluate(query, record, found);
      }
    for (const query of this.unlisted) this.evaluate(query, record, found);
  }

  /** Whether a query names the lexeme, or a prefix of it. */
  private isNamed({ text }: Lexeme): boolean {
    if (this.vocabulary.has(text)) return true;
    for (const length of this.prefixLengths)
      if (length <= text.length && this.prefixes.has(text.slice(0, length))) return true;
    return false;
  }

  private addLexeme(lexeme: Lexeme, needed: number[]): void {
    const number = this.vocabulary.get(lexeme.text);
    if (number !== undefined && this.lexemes.add(number, lexeme) && this.listed[number] !== undefined)
      needed.push(number);
    for (const length of this.prefixLengths) {
      if (length > lexeme.text.length) continue;
      const prefix = this.prefixes.get(lexeme.text.slice(0, length));
      if (prefix !== undefined && this.lexemes.add(prefix, lexeme) && this.listed[prefix] !== undefined)
        needed.push(prefix);
    }
  }

  private evaluate(query: number, record: MatchedRecord, found: (query: number, end: number) => void): void {
    const condition = this.conditions[query]!;
    if (condition.kind === 'phrase') {
      const end = this.lexemes.endOf(condition);
      if (end !== NOWHERE) found(query, end);
    } else if (this.holds(condition, record)) found(query, this.endOf(condition));
  }

  /** Where words, or the first of several, end first; -1 for other conditions. */
  private endOf(condition: Numbered): number {
    if (condition.kind === 'phrase') return this.lexemes.endOf(condition);
    if (condition.kind !== 'or') return NOWHERE;
    return condition.operands
      .map((operand) => this.endOf(operand))
      .reduce((a, b) => (a === NOWHERE || (b !== NOWHERE && b < a) ? b : a), NOWHERE);
  }

  private holds(condition: Numbered, record: MatchedRecord): boolean {
    switch (condition.kind) {
      case 'all':
        return true;
      case 'none':
        return false;
      case 'phrase':
        return this.lexemes.endOf(condition) !== -1;
      case 'near':
        return this.lexemes.isNear(condition.slots, condition.distance, condition.field);
      case 'not':
        return !this.holds(condition.operand, record);
      case 'and':
        return condition.operands.every((operand) => this.holds(operand, record));
      case 'or':
        return condition.operands.some((operand) => this.holds(operand, record));
      case 'value':
        return hasValue(record, condition);
      case 'bound':
        return compares(record.numbers[condition.field], condition.operator, condition.value);
      case 'flag':
        return record.flags[condition.flag] === true;
    }
  }

  private add(query: Condition): void {
    const index = this.conditions.push(this.numbered(query)) - 1;
    this.rounds.push(0);
    this.isWord.push(query.kind === 'phrase' && query.slots.length === 1 && query.field === null);
    const needed = neededLexemes(query);
    if (needed === null) this.unlisted.push(index);
    else
      for (const number of new Set(needed.flatMap((slot) => this.numbersOf(slot))))
        (this.listed[number] ??= []).push(index);
  }

  private numbered(condition: Condition): Numbered {
    switch (condition.kind) {
      case 'phrase':
      case 'near':
        return { ...condition, slots: condition.slots.map((slot) => this.numbersOf(slot)) };
      case 'not':
        return { kind: 'not', operand: this.numbered(condition.operand) };
      case 'and':
      case 'or':
        return { kind: condition.kind, operands: condition.operands.map((one) => this.numbered(one)) };
      default:
        return condition;
    }
  }

  private numbersOf({ counted, others, isPrefix }: Slot): number[] {
    if (isPrefix) this.prefixLengths.add(counted[0]!.length);
    const numbers = isPrefix ? this.prefixes : this.vocabulary;
    return [...counted, ...others].map((lexeme) => {
      const known = numbers.get(lexeme);
      if (known !== undefined) return known;
      numbers.set(lexeme, this.numbers);
      this.numbers += 1;
      return this.numbers - 1;
    });
  }
}

function hasValue(
  { values, isAuthorCaseSensitive }: MatchedRecord,
  { field, value: wanted, isPrefix }: Condition & { kind: 'value' },
): boolean {
  const hasCase = field === 'author' && isAuthorCaseSensitive === true;
  const keyOf = (text: string): string => (hasCase ? text : text.toLowerCase());
  const key = keyOf(wanted);
  return [values[field] ?? []]
    .flat()
    .some((value) => (isPrefix ? keyOf(value).startsWith(key) : keyOf(value) === key));
}

function compares(number: number | undefined, operator: Operator, value: number | string): boolean {
  if (number === undefined) return false;
  const other = typeof value === 'number' ? value : Date.parse(value);
  switch (operator) {
    case '>':
      return number > other;
    case '>=':
      return number >= other;
    case '<':
      return number < other;
    case '<=':
      return number <= other;
    case '=':
      return number === other;
  }
}
