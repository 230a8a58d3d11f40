import { KeywordAutomaton } from './keyword-automaton.js';
import { tokensOf } from './keyword.js';
import { EVERY_FORUM, Postings } from './postings.js';
import { TokenScanner } from './token-scanner.js';
import { FrozenVocabulary, GrowingVocabulary } from './vocabulary.js';

export interface MatchableAlert {
  id: string;
  keywords: readonly string[];
  /** Empty: every forum. Compared without regard to case. */
  forums: readonly string[];
}

export interface MatchableText {
  forum: string;
  title: string;
  selftext: string;
}

export interface AlertMatch {
  alertId: string;
  /** As the alert's owner wrote them, each once, in order of where they first end in the text. */
  keywords: string[];
}

/**
 * Finds which alerts a post triggers: whole words and phrases, case and accents folded, in one pass over its text
 * whatever the number of alerts. Compiled once for a set of alerts and used by one caller at a time.
 */
export class AlertMatcher {
  private readonly scanner: TokenScanner;
  private round = 0;
  /** The round in which a keyword was last found, and an alert last triggered. */
  private readonly foundIn: Uint32Array;
  private readonly triggeredIn: Uint32Array;
  /** Where a triggered alert stands among the matches of this round. */
  private readonly places: Int32Array;

  private constructor(
    private readonly alertIds: readonly string[],
    vocabulary: FrozenVocabulary,
    private readonly automaton: KeywordAutomaton,
    private readonly postings: Postings,
    private readonly forums: ReadonlyMap<string, number>,
  ) {
    this.scanner = new TokenScanner(vocabulary);
    this.foundIn = new Uint32Array(automaton.size);
    this.triggeredIn = new Uint32Array(alertIds.length);
    this.places = new Int32Array(alertIds.length);
  }

  /** Keywords that cannot be found in any text are left out; `refuseKeyword` says which those are. */
  static compile(alerts: readonly MatchableAlert[]): AlertMatcher {
    const vocabulary = new GrowingVocabulary();
    const scanner = new TokenScanner(vocabulary);
    const drafts = alerts.flatMap((alert, number) =>
      alert.keywords.flatMap((spelling) => {
        const tokens = tokensOf(spelling, scanner);
        return tokens === null ? [] : [{ alert: number, spelling, tokens }];
      }),
    );
    const automaton = new KeywordAutomaton(
      vocabulary.size,
      drafts.map(({ tokens }) => tokens),
    );
    const forums = new Map<string, number>();
    const watched = alerts.map((alert) => numbersOf(alert.forums, forums));
    const taken = new Set<string>();
    const postings = drafts.flatMap(({ alert, spelling }, index) => {
      const keyword = automaton.numbers[index]!;
      // Two spellings of one keyword in the same alert are told as the first.
      if (taken.has(`${alert}:${keyword}`)) return [];
      taken.add(`${alert}:${keyword}`);
      return watched[alert]!.map((forum) => ({ keyword, alert, spelling, forum }));
    });
    return new AlertMatcher(
      alerts.map(({ id }) => id),
      vocabulary.freeze(),
      automaton,
      new Postings(automaton.size, postings),
      forums,
    );
  }

  /** Every alert that the post triggers, each once. */
  match(post: MatchableText): AlertMatch[] {
    this.scanner.reset();
    this.scanner.scan(post.title);
    this.scanner.scan(post.selftext);
    this.round += 1;
    const forum = this.forums.get(post.forum.toLowerCase()) ?? EVERY_FORUM;
    const matches: AlertMatch[] = [];
    this.automaton.walk(this.scanner, (keyword) => {
      if (this.foundIn[keyword] === this.round) return;
      this.foundIn[keyword] = this.round;
      this.collect(keyword, forum, matches);
    });
    return matches;
  }

  private collect(keyword: number, forum: number, matches: AlertMatch[]): void {
    const { starts, alerts, forums, spellings } = this.postings;
    for (let at = starts[keyword]!; at < starts[keyword + 1]!; at += 1) {
      if (forums[at] !== EVERY_FORUM && forums[at] !== forum) continue;
      const alert = alerts[at]!;
      if (this.triggeredIn[alert] === this.round) matches[this.places[alert]!]!.keywords.push(spellings[at]!);
      else {
        this.triggeredIn[alert] = this.round;
        this.places[alert] = matches.length;
        matches.push({ alertId: this.alertIds[alert]!, keywords: [spellings[at]!] });
      }
    }
  }
}

/** Numbers of forums, each once, new ones being numbered; EVERY_FORUM alone when there are none. */
function numbersOf(forums: readonly string[], numbers: Map<string, number>): number[] {
  if (forums.length === 0) return [EVERY_FORUM];
  return [...new Set(forums.map((forum) => forum.toLowerCase()))].map((name) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  });
}
