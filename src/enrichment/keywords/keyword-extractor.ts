import { readFileSync } from 'node:fs';
import { type Token } from '../text/tokens.js';
import { type WordTable } from '../text/word-table.js';
import { BackgroundFrequencies } from './background-frequencies.js';
import { collectCandidates, phraseOf, type Candidate, type CandidateSet } from './candidates.js';
import { RANKING_FEATURES, rankingSlots } from './ranking-features.js';
import { decodeRanking } from './ranking-weights.js';
import { type WorkspaceFrequencies } from './workspace-frequencies.js';

const MOST_KEYWORDS = 10;
const FEWEST_KEYWORDS = 5;
/** Log-odds under which a phrase is named only to reach the fewest. */
const WEAK = -3.8;
/** Words from which on a post has enough phrases to leave out parts of others. */
const LONG_POST = 60;
/** Documents the shipped frequencies count for beside those of a workspace. */
const BACKGROUND_WEIGHT = 2_000;

export interface Ranked {
  candidate: Candidate;
  /** Log-odds that a reader would name it. */
  score: number;
}

export class KeywordExtractor {
  private readonly slots = new Int32Array(RANKING_FEATURES);

  constructor(
    private readonly words: WordTable,
    private readonly background: BackgroundFrequencies,
    private readonly weights: Float32Array,
  ) {}

  /** Reads the files beside this one. */
  static load(words: WordTable): KeywordExtractor {
    const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
    return new KeywordExtractor(
      words,
      new BackgroundFrequencies(read('frequencies.bin')),
      decodeRanking(read('ranking.bin')),
    );
  }

  /** Five to ten phrases, best first; fewer only when the text has fewer. */
  extract(title: readonly Token[], body: readonly Token[], workspace?: WorkspaceFrequencies): string[] {
    const set = collectCandidates(title, body, this.words);
    return selectKeywords(this.rank(set, workspace), set.length);
  }

  /** Hashes of the post's phrases, for a workspace's frequencies. */
  keys(title: readonly Token[], body: readonly Token[]): Iterable<number> {
    return collectCandidates(title, body, this.words).candidates.keys();
  }

  rank(set: CandidateSet, workspace?: WorkspaceFrequencies): Ranked[] {
    const context = { length: set.length, capitals: set.capitals, rarity: this.rarity(workspace) };
    const ranked: Ranked[] = [];
    for (const candidate of set.candidates.values()) {
      rankingSlots(candidate, context, this.slots);
      let score = 0;
      for (const slot of this.slots) score += this.weights[slot]!;
      ranked.push({ candidate, score });
    }
    return ranked.sort((a, b) => b.score - a.score || a.candidate.first - b.candidate.first);
  }

  private rarity(workspace?: WorkspaceFrequencies): (key: number) => number {
    const { background } = this;
    if (!workspace || workspace.documents === 0) return (key) => background.rarity(key);
    const documents = BACKGROUND_WEIGHT + workspace.documents;
    return (key) =>
      Math.log2(documents) - Math.log2(BACKGROUND_WEIGHT * background.share(key) + workspace.df(key));
  }
}

/** The best phrases; weak ones only to fill up, parts of a chosen phrase only in short posts. */
export function selectKeywords(ranked: readonly Ranked[], length: number): string[] {
  const chosen: Candidate[] = [];
  for (const { candidate, score } of ranked) {
    if (chosen.length >= MOST_KEYWORDS || (chosen.length >= FEWEST_KEYWORDS && score < WEAK)) break;
    if (length >= LONG_POST && chosen.some((other) => covers(other, candidate))) continue;
    chosen.push(candidate);
  }
  return chosen.map(phraseOf);
}

function covers(other: Candidate, candidate: Candidate): boolean {
  return (
    other.words > candidate.words &&
    other.count >= candidate.count &&
    ` ${phraseOf(other)} `.includes(` ${phraseOf(candidate)} `)
  );
}
