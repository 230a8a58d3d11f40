import { mapInSlices } from '../../../enrichment/slices.js';
import { IntList } from './int-list.js';
import { tokensOf } from './keyword.js';
import { KeywordIndex } from './keyword-index.js';
import { Postings } from './postings.js';
import { TokenScanner } from './token-scanner.js';
import { FrozenVocabulary, GrowingVocabulary } from './vocabulary.js';

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
  /** By alert: its forums in lower case; null for every forum. */
  private readonly forums: (ReadonlySet<string> | null)[] = [];
  private readonly postings = new Postings();
  private forumCount = 0;

  /** Number of the post being matched; by keyword and by alert: the post in which it was last found or triggered. */
  private round = 0;
  private readonly foundIn = new IntList();
  private readonly triggeredIn = new IntList();
  /** By alert: its index among the matches of that post. */
  private readonly places = new IntList();

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
    return this.postings.size + this.forumCount;
  }

  /** Every alert that the post triggers, each once. */
  match(post: MatchableText): TriggeredAlert[] {
    this.scanner.reset();
    this.scanner.scan(post.title);
    this.scanner.scan(post.selftext);
    this.round += 1;
    const forum = post.forum.toLowerCase();
    const matches: TriggeredAlert[] = [];
    const foundIn = this.foundIn.values;
    this.index.search(this.scanner, (keyword) => {
      if (foundIn[keyword] === this.round) return;
      foundIn[keyword] = this.round;
      this.collect(keyword, forum, matches);
    });
    return matches;
  }

  private collect(keyword: number, forum: string, matches: TriggeredAlert[]): void {
    const { starts, alerts, spellings } = this.postings;
    const triggeredIn = this.triggeredIn.values;
    const places = this.places.values;
    for (let at = starts[keyword]!; at < starts[keyword + 1]!; at += 1) {
      const alert = alerts[at]!;
      if (triggeredIn[alert] === this.round) matches[places[alert]!]!.keywords.push(spellings[at]!);
      else if (this.forums[alert]?.has(forum) ?? true) {
        triggeredIn[alert] = this.round;
        places[alert] = matches.length;
        matches.push({ alertId: this.alertIds[alert]!, keywords: [spellings[at]!] });
      }
    }
  }

  private addAlert({ id, keywords, forums }: MatchableAlert): void {
    const watched = forums.length === 0 ? null : new Set(forums.map((forum) => forum.toLowerCase()));
    this.forumCount += watched?.size ?? 0;
    this.forums.push(watched);
    this.triggeredIn.push(0);
    this.places.push(0);
    const alert = this.alertIds.push(id) - 1;
    for (const spelling of keywords) {
      const tokens = tokensOf(spelling, this.scanner);
      if (tokens === null) continue;
      this.postings.add(this.index.add(tokens), alert, spelling);
    }
    while (this.foundIn.length < this.index.size) this.foundIn.push(0);
  }
}
