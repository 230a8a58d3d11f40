import { mapInSlices } from '../../../enrichment/slices.js';
import { IntList } from './int-list.js';
import { tokensOf } from './keyword.js';
import { KeywordIndex } from './keyword-index.js';
import { Postings } from './postings.js';
import { TokenScanner } from './token-scanner.js';
import { FrozenVocabulary, GrowingVocabulary } from './vocabulary.js';

/** Number of a forum that no alert names. */
const NONE = -1;
/** Layout of an alert's record: the post that last triggered it, its index among that post's matches, and its forums. */
const RECORD = 4;
const TRIGGERED_IN = 0;
const PLACE = 1;
const FORUMS_START = 2;
const FORUMS_END = 3;

/** The parts of an alert that matching needs. */
export interface MatchableAlert {
  id: string;
  keywords: readonly string[];
  /** Empty for every forum. Compared without regard to case. */
  forums: readonly string[];
}

/** The parts of a post that matching reads. */
export interface MatchableText {
  forum: string;
  title: string;
  selftext: string;
}

/** An alert that a post triggers. */
export interface TriggeredAlert {
  alertId: string;
  /** As written in the alert, each once, in order of where they first end in the text. */
  keywords: string[];
}

/**
 * Finds which alerts a post triggers: whole words and phrases, with case and accents folded, in one pass over its text
 * whatever the number of alerts. Compiled once for a set of alerts. Memory is proportional to their keywords plus their
 * forums: a keyword refers to its alerts, and an alert's forums are checked only after one of its keywords was found.
 */
export class AlertMatcher {
  private readonly index = new KeywordIndex();
  private scanner: TokenScanner;
  private readonly alertIds: string[] = [];
  /** By name in lower case: the numbers of forums in {@link forums}. */
  private readonly forumNumbers = new Map<string, number>();
  /** Numbers of the forums of all alerts, those of one alert together. */
  private readonly forums = new IntList();
  private readonly postings = new Postings();

  /** Number of the post being matched. */
  private round = 0;
  /** By keyword: the post in which it was last found. */
  private readonly foundIn = new IntList();
  /** One record per alert: an array per field costs 5 % more time, because of cache misses (docs/benchmarks.md). */
  private readonly records = new IntList();

  private constructor(vocabulary: GrowingVocabulary) {
    this.scanner = new TokenScanner(vocabulary);
  }

  /**
   * Compiles alerts in time slices, so that the event loop is not blocked. Keywords that no text can contain are left
   * out; `refuseKeyword` decides which those are. `now` returns milliseconds.
   */
  static async compile(alerts: readonly MatchableAlert[], now?: () => number): Promise<AlertMatcher> {
    const vocabulary = new GrowingVocabulary();
    const matcher = new AlertMatcher(vocabulary);
    await mapInSlices(alerts, (alert) => matcher.addAlert(alert), now);
    const frozen = new FrozenVocabulary(vocabulary.size, vocabulary.units);
    await mapInSlices([...vocabulary.tokens()], (token) => frozen.add(token), now);
    matcher.scanner = new TokenScanner(frozen);
    matcher.postings.seal();
    return matcher;
  }

  /** Number of stored keywords of alerts and of their forums, to which memory is proportional. */
  get size(): number {
    return this.postings.size + this.forums.length;
  }

  /** Every alert that the post triggers, each once. */
  match(post: MatchableText): TriggeredAlert[] {
    this.scanner.reset();
    this.scanner.scan(post.title);
    this.scanner.scan(post.selftext);
    this.round += 1;
    const forum = this.forumNumbers.get(post.forum.toLowerCase()) ?? NONE;
    const matches: TriggeredAlert[] = [];
    const foundIn = this.foundIn.values;
    this.index.search(this.scanner, (keyword) => {
      if (foundIn[keyword] === this.round) return;
      foundIn[keyword] = this.round;
      this.collect(keyword, forum, matches);
    });
    return matches;
  }

  private collect(keyword: number, forum: number, matches: TriggeredAlert[]): void {
    const { starts, alerts, spellings } = this.postings;
    const records = this.records.values;
    for (let at = starts[keyword]!; at < starts[keyword + 1]!; at += 1) {
      const alert = alerts[at]!;
      const record = alert * RECORD;
      if (records[record + TRIGGERED_IN] === this.round)
        matches[records[record + PLACE]!]!.keywords.push(spellings[at]!);
      else if (this.watches(records[record + FORUMS_START]!, records[record + FORUMS_END]!, forum)) {
        records[record + TRIGGERED_IN] = this.round;
        records[record + PLACE] = matches.length;
        matches.push({ alertId: this.alertIds[alert]!, keywords: [spellings[at]!] });
      }
    }
  }

  /** `start` and `end` are the places of an alert's forums. */
  private watches(start: number, end: number, forum: number): boolean {
    const { values } = this.forums;
    for (let at = start; at < end; at += 1) if (values[at] === forum) return true;
    return start === end;
  }

  private addAlert({ id, keywords, forums }: MatchableAlert): void {
    const start = this.forums.length;
    for (const forum of new Set(forums.map((name) => name.toLowerCase())))
      this.forums.push(this.numberOf(forum));
    for (const value of [0, 0, start, this.forums.length]) this.records.push(value);
    const alert = this.alertIds.push(id) - 1;
    for (const spelling of keywords) {
      const tokens = tokensOf(spelling, this.scanner);
      if (tokens === null) continue;
      this.postings.add(this.index.add(tokens), alert, spelling);
    }
    while (this.foundIn.length < this.index.size) this.foundIn.push(0);
  }

  private numberOf(forum: string): number {
    const known = this.forumNumbers.get(forum) ?? this.forumNumbers.size;
    this.forumNumbers.set(forum, known);
    return known;
  }
}
