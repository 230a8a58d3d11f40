import { readFileSync } from 'node:fs';
import { type Token } from '../text/tokens.js';
import { BackgroundFrequencies } from './background-frequencies.js';
import { collectCandidates, type Candidate, type CandidateSet } from './candidates.js';
import { RANKING_FEATURES, RANKING_SLOTS, rankingSlots } from './ranking-features.js';
import { Terms } from './terms.js';
import { type WorkspaceFrequencies } from './workspace-frequencies.js';

export const MOST_KEYWORDS = 10;
export const FEWEST_KEYWORDS = 5;
/** Documents the shipped frequencies count for beside those of a workspace. */
const BACKGROUND_WEIGHT = 2_000;

export interface Ranked {
  candidate: Candidate;
  /** Log-odds that a reader would name it. */
  score: number;
}

export class KeywordExtractor {
  private readonly terms = new Terms();
  private readonly slots = new Int32Array(RANKING_FEATURES);

  constructor(
    private readonly background: BackgroundFrequencies,
    private readonly weights: Float32Array,
  ) {}

  /** Reads the files beside this one. */
  static load(): KeywordExtractor {
    const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
    return new KeywordExtractor(
      new BackgroundFrequencies(read('frequencies.bin')),
      decodeRanking(read('ranking.bin')),
    );
  }

  /** Five to ten phrases, best first; fewer only when the text has fewer. */
  extract(title: readonly Token[], body: readonly Token[], workspace?: WorkspaceFrequencies): string[] {
    return this.rank(collectCandidates(title, body, this.terms), workspace)
      .slice(0, MOST_KEYWORDS)
      .map((ranked) => ranked.candidate.phrase);
  }

  /** Hashes of the post's phrases, for a workspace's frequencies. */
  keys(title: readonly Token[], body: readonly Token[]): Iterable<number> {
    return collectCandidates(title, body, this.terms).candidates.keys();
  }

  rank(set: CandidateSet, workspace?: WorkspaceFrequencies): Ranked[] {
    const context = { length: set.length, share: this.share(workspace) };
    const ranked: Ranked[] = [];
    for (const candidate of set.candidates.values()) {
      rankingSlots(candidate, context, this.slots);
      let score = 0;
      for (const slot of this.slots) score += this.weights[slot]!;
      ranked.push({ candidate, score });
    }
    return ranked.sort((a, b) => b.score - a.score || a.candidate.first - b.candidate.first);
  }

  private share(workspace?: WorkspaceFrequencies): (key: number) => number {
    const { background } = this;
    const total = background.documents + 1;
    if (!workspace || workspace.documents === 0) return (key) => (background.count(key) + 0.5) / total;
    const weight = BACKGROUND_WEIGHT / total;
    const documents = BACKGROUND_WEIGHT + workspace.documents;
    return (key) => Math.min(1, (weight * (background.count(key) + 0.5) + workspace.df(key)) / documents);
  }
}

/** One float32 step, then a signed byte for each slot. */
function decodeRanking(file: Buffer): Float32Array {
  if (file.length !== RANKING_SLOTS + 4)
    throw new Error(`The ranking weights are damaged: ${file.length} bytes`);
  const step = file.readFloatLE(0);
  return Float32Array.from({ length: RANKING_SLOTS }, (_zero, at) => file.readInt8(4 + at) * step);
}

export function encodeRanking(weights: Float32Array): Buffer {
  const largest = weights.reduce((top, value) => Math.max(top, Math.abs(value)), 1e-6);
  const file = Buffer.alloc(RANKING_SLOTS + 4);
  file.writeFloatLE(largest / 127, 0);
  weights.forEach((value, at) => file.writeInt8(Math.round((value * 127) / largest), 4 + at));
  return file;
}
