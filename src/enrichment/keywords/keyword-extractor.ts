import { readFileSync } from 'node:fs';
import { UNDETERMINED } from '../../text/language/languages.js';
import { isUnspaced } from '../text/segmenter.js';
import { type Token } from '../text/tokens.js';
import { type WordTable } from '../text/word-table.js';
import { type BackgroundFrequencies, shippedFrequencies } from './background-frequencies.js';
import { collectCandidates, phraseOf, type Candidate, type CandidateSet } from './candidates.js';
import { RANKING_FEATURES, rankingSlots } from './ranking-features.js';
import { decodeRanking } from './ranking-weights.js';
import { stopWordsOf } from '../../text/language/stop-words.js';
import { type WorkspaceFrequencies } from './workspace-frequencies.js';

const MOST_KEYWORDS = 10;
const FEWEST_KEYWORDS = 5;
/** A phrase with log-odds below this is named only to reach FEWEST_KEYWORDS. */
const WEAK = -3.8;
/** From this many words, a post has enough phrases to leave out those that are part of another. */
const LONG_POST = 60;
/** Posts added to a workspace's count, so that a few posts carry little weight. */
const FEW_POSTS = 200;
/** Rarity of a phrase of which nothing is known: one in about a thousand texts. */
const USUAL_RARITY = 10;
/** A phrase in one of this many posts loses one log-odds. */
const FAMILIAR = 20;

/** A candidate with its score. */
export interface Ranked {
  candidate: Candidate;
  /** Log-odds that a reader would choose it. */
  score: number;
}

/** Names the phrases that a reader would choose as keywords of a post. */
export class KeywordExtractor {
  private readonly slots = new Int32Array(RANKING_FEATURES);
  private readonly rarity = (key: number): number => this.background.rarity(key);

  constructor(
    private readonly words: WordTable,
    private readonly background: BackgroundFrequencies,
    private readonly weights: Float32Array,
  ) {}

  /** Reads the files next to this one. Throws an Error when one is missing or damaged. */
  static load(words: WordTable): KeywordExtractor {
    const ranking = readFileSync(new URL('ranking.bin', import.meta.url));
    return new KeywordExtractor(words, shippedFrequencies(), decodeRanking(ranking));
  }

  /**
   * Keywords of a post in a language: five to ten phrases, best first, fewer only when the text has fewer. Keys: hashes of all its distinct
   * phrases.
   */
  extract(
    title: readonly Token[],
    body: readonly Token[],
    language: string,
    workspace?: WorkspaceFrequencies,
  ): { keywords: string[]; phraseKeys: Uint32Array } {
    const isEnglish = isReadAsEnglish(language);
    const set = collectCandidates(title, body, this.words, isEnglish ? null : stopWordsOf(language));
    const rarity = isEnglish ? this.rarity : rarityIn(workspace);
    const between = isUnspaced(language) ? '' : ' ';
    return {
      keywords: selectKeywords(this.rank(set, workspace, rarity), set.length, between),
      phraseKeys: keysOf(set),
    };
  }

  /** All candidates, best first. */
  rank(set: CandidateSet, workspace?: WorkspaceFrequencies, rarity = this.rarity): Ranked[] {
    const context = { length: set.length, capitals: set.capitals, rarity };
    const { slots, weights } = this;
    const ranked: Ranked[] = [];
    for (const candidate of set.candidates.values()) {
      rankingSlots(candidate, context, slots);
      let score = -familiarity(candidate.key, workspace);
      for (let at = 0; at < RANKING_FEATURES; at++) score += weights[slots[at]!]!;
      ranked.push({ candidate, score });
    }
    return ranked.sort((a, b) => b.score - a.score || a.candidate.first - b.candidate.first);
  }
}

/** Texts without a known language are read like English ones. */
function isReadAsEnglish(language: string): boolean {
  return language === 'en' || language === UNDETERMINED;
}

/**
 * How rare a phrase is among the posts of a workspace, for languages without shipped frequencies; the same for all
 * phrases while the workspace has few posts.
 */
function rarityIn(workspace: WorkspaceFrequencies | undefined): (key: number) => number {
  if (!workspace || workspace.documents < FEW_POSTS) return () => USUAL_RARITY;
  const posts = workspace.documents + 1;
  return (key) =>
    Math.max(0, Math.min(USUAL_RARITY, Math.floor(Math.log2(posts / (workspace.df(key) + 0.5)))));
}

function keysOf({ candidates }: CandidateSet): Uint32Array {
  const keys = new Uint32Array(candidates.size);
  let at = 0;
  for (const key of candidates.keys()) keys[at++] = key;
  return keys;
}

/** Log-odds that a phrase loses for being frequent in the workspace. */
function familiarity(key: number, workspace: WorkspaceFrequencies | undefined): number {
  if (!workspace) return 0;
  const posts = workspace.documents;
  const share = workspace.df(key) / (posts + FEW_POSTS);
  return Math.log2(1 + share * FAMILIAR);
}

/**
 * The best phrases. Weak ones are used only to reach the minimum number, parts of a chosen phrase only in short posts.
 */
export function selectKeywords(ranked: readonly Ranked[], length: number, between = ' '): string[] {
  const chosen: Candidate[] = [];
  for (const { candidate, score } of ranked) {
    if (chosen.length >= MOST_KEYWORDS || (chosen.length >= FEWEST_KEYWORDS && score < WEAK)) break;
    if (length >= LONG_POST && chosen.some((other) => covers(other, candidate))) continue;
    chosen.push(candidate);
  }
  return chosen.map((candidate) => phraseOf(candidate, between));
}

function covers(other: Candidate, candidate: Candidate): boolean {
  return (
    other.words > candidate.words &&
    other.count >= candidate.count &&
    ` ${phraseOf(other)} `.includes(` ${phraseOf(candidate)} `)
  );
}
