import { mapInSlices } from '../../common/slices.js';
import type { MatchedRecord } from '../../search/matching/matched-record.js';
import { QueryMatcher } from '../../search/matching/query-matcher.js';
import { type Condition, conditionOfQuery } from '../../search/query/condition.js';
import { parseQuery } from '../../search/query/parse-query.js';
import { IntList } from './int-list.js';
import { conditionOfKeyword, refuseKeyword } from '../alert/keyword.js';
import { Postings } from './postings.js';
import type { MatchableAlert } from '../alert/alert-scope.js';

/** Number of a forum that no alert names. */
const NONE = -1;
/** Layout of an alert's record: the record that last triggered it, its index among those matches, and its forums. */
const RECORD = 4;
const TRIGGERED_IN = 0;
const PLACE = 1;
const FORUMS_START = 2;
const FORUMS_END = 3;
/** Stands for an alert's query among the spellings of keywords. */
const QUERY = '';

/** An alert that a record triggers. */
export interface TriggeredAlert {
  alertId: string;
  /** As written in the alert, each once, in order of where they first end in the text; none for a query. */
  keywords: string[];
}

/**
 * Finds which alerts a record triggers, with one reading of its text whatever the number of alerts. Compiled once for a
 * set of alerts. Memory is proportional to their keywords plus their forums: a keyword refers to its alerts, and an
 * alert's forums are checked only after one of its keywords was found.
 */
export class AlertMatcher {
  private queries!: QueryMatcher;
  private readonly alertIds: string[] = [];
  /** By name in lower case: the numbers of forums in {@link forums}. */
  private readonly forumNumbers = new Map<string, number>();
  /** Numbers of the forums of all alerts, those of one alert together. */
  private readonly forums = new IntList();
  private readonly postings = new Postings();
  private readonly records = new IntList();
  private round = 0;

  private constructor() {}

  /**
   * Compiles alerts in time slices, so that the event loop is not blocked. Keywords that no text can contain are left
   * out; `refuseKeyword` decides which those are. `now` returns milliseconds.
   */
  static async compile(alerts: readonly MatchableAlert[], now?: () => number): Promise<AlertMatcher> {
    const matcher = new AlertMatcher();
    const conditions: Condition[] = [];
    const numbers = new Map<string, number>();
    const numberOf = (condition: Condition): number => {
      const key = JSON.stringify(condition);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, conditions.length);
      return conditions.push(condition) - 1;
    };
    await mapInSlices(alerts, (alert) => matcher.addAlert(alert, numberOf), now);
    matcher.postings.seal();
    matcher.queries = await QueryMatcher.compile(conditions, now);
    return matcher;
  }

  /** Number of stored keywords of alerts, their lexemes and forums, to which memory is proportional. */
  get size(): number {
    return this.postings.size + this.forums.length + this.queries.size;
  }

  /** Every alert that the record triggers, each once. */
  match(record: MatchedRecord): TriggeredAlert[] {
    this.round += 1;
    const name = record.values.forum;
    const forum = (typeof name === 'string' ? this.forumNumbers.get(name.toLowerCase()) : undefined) ?? NONE;
    const matches: TriggeredAlert[] = [];
    const found: number[][] = [];
    this.queries.match(record, (keyword) => this.collect(keyword, forum, matches, found));
    for (let place = 0; place < matches.length; place += 1)
      if (found[place]!.length > 1) this.sort(matches[place]!.keywords, found[place]!);
    return matches;
  }

  /** `found` has the numbers of the keywords of each match, in their order. */
  private collect(keyword: number, forum: number, matches: TriggeredAlert[], found: number[][]): void {
    const { starts, alerts, spellings } = this.postings;
    const records = this.records.values;
    for (let at = starts[keyword]!; at < starts[keyword + 1]!; at += 1) {
      const alert = alerts[at]!;
      const record = alert * RECORD;
      const spelling = spellings[at]!;
      if (records[record + TRIGGERED_IN] !== this.round) {
        if (!this.watches(records[record + FORUMS_START]!, records[record + FORUMS_END]!, forum)) continue;
        records[record + TRIGGERED_IN] = this.round;
        records[record + PLACE] = matches.length;
        matches.push({ alertId: this.alertIds[alert]!, keywords: [] });
        found.push([]);
      }
      if (spelling === QUERY) continue;
      const place = records[record + PLACE]!;
      matches[place]!.keywords.push(spelling);
      found[place]!.push(keyword);
    }
  }

  /** Sorts spellings of keywords with these numbers by where they first end in the text. */
  private sort(keywords: string[], numbers: readonly number[]): void {
    const ends = numbers
      .map((number, at) => ({ number, spelling: keywords[at]!, end: this.queries.endOf(number) }))
      .sort((a, b) => a.end - b.end || a.number - b.number);
    ends.forEach(({ spelling }, at) => (keywords[at] = spelling));
  }

  /** `start` and `end` are the places of an alert's forums. */
  private watches(start: number, end: number, forum: number): boolean {
    const { values } = this.forums;
    for (let at = start; at < end; at += 1) if (values[at] === forum) return true;
    return start === end;
  }

  private addAlert(
    { id, keywords, query, forums }: MatchableAlert,
    numberOf: (condition: Condition) => number,
  ): void {
    const start = this.forums.length;
    for (const forum of new Set(forums.map((name) => name.toLowerCase())))
      this.forums.push(this.numberOfForum(forum));
    for (const value of [0, 0, start, this.forums.length]) this.records.push(value);
    const alert = this.alertIds.push(id) - 1;
    for (const spelling of keywords)
      if (refuseKeyword(spelling) === null)
        this.postings.add(numberOf(conditionOfKeyword(spelling)), alert, spelling);
    if (query != null) this.postings.add(numberOf(conditionOfQuery(parseQuery(query).tree)), alert, QUERY);
  }

  private numberOfForum(forum: string): number {
    const known = this.forumNumbers.get(forum) ?? this.forumNumbers.size;
    this.forumNumbers.set(forum, known);
    return known;
  }
}
