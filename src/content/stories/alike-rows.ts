import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import type { WordRows } from '../../search/recall/word-rows.js';
import { LEAST_BANDS, type StoryKeys } from './story-keys.js';

/** Least cosine of a text and of those that it joins, and least number of words that both have. */
const LEAST = { cosine: 0.35, words: 2 };
/** Words of a text by which others are found: the most telling ones. */
const MOST_WORDS = 12;
/** Earlier stories that a text is compared with. */
const MOST_COMPARED = 200;
/** Words in more stories than this do not find any. */
const MOST_STORIES = 100;

/** Puts rows together that are reposts of each other: by row, the first row of its group. */
export async function repostedRows(keys: readonly StoryKeys[], turn: EventLoopTurn): Promise<Int32Array> {
  const first = Int32Array.from(keys, (_, row) => row);
  const [byWhole, byBand] = [new Map<string, number>(), new Map<string, number>()];
  for (const [row, { whole, bands }] of keys.entries()) {
    if (turn.isOver) await turn.next();
    const shared = new Map<number, number>();
    for (const key of whole) {
      const earlier = byWhole.get(key);
      if (earlier !== undefined) shared.set(earlier, LEAST_BANDS);
    }
    for (const key of bands) {
      const earlier = byBand.get(key);
      if (earlier !== undefined) shared.set(earlier, (shared.get(earlier) ?? 0) + 1);
    }
    const joined = [...shared].filter(([, count]) => count >= LEAST_BANDS).map(([earlier]) => earlier);
    first[row] = Math.min(row, ...joined);
    for (const key of whole) byWhole.set(key, first[row]);
    for (const key of bands) if (!byBand.has(key)) byBand.set(key, first[row]);
  }
  return first;
}

/** A group of rows with the sums of their weights by word. */
interface Group {
  sums: Map<number, number>;
  squares: number;
}

/** Puts rows together, in their order, whose rare words are those of earlier ones: by row, the number of its group. */
export async function alikeRows(
  { rows }: WordRows,
  wanted: readonly number[],
  rarities: Float64Array,
  turn: EventLoopTurn,
): Promise<Map<number, number>> {
  const groups: Group[] = [];
  const byWord = new Map<number, number[]>();
  const found = new Map<number, number>();
  for (const row of wanted) {
    if (turn.isOver) await turn.next();
    const own = weighted([...rows[row]!], rarities);
    if (own.length < LEAST.words) continue;
    const counts = new Map<number, number>();
    for (const [word] of own.slice(0, MOST_WORDS)) {
      const having = byWord.get(word) ?? [];
      if (having.length <= MOST_STORIES)
        for (const group of having) counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    let [best, most] = [groups.length, LEAST.cosine];
    for (const [group, count] of [...counts].slice(0, MOST_COMPARED)) {
      const { sums, squares } = groups[group]!;
      const together = own.reduce((sum, [word, weight]) => sum + weight * (sums.get(word) ?? 0), 0);
      if (count >= LEAST.words && together / Math.sqrt(squares) > most)
        [best, most] = [group, together / Math.sqrt(squares)];
    }
    found.set(row, best);
    const group = (groups[best] ??= { sums: new Map(), squares: 0 });
    for (const [word, weight] of own) {
      const sum = group.sums.get(word);
      if (sum === undefined) addTo(byWord, word, best);
      group.squares += weight * (2 * (sum ?? 0) + weight);
      group.sums.set(word, (sum ?? 0) + weight);
    }
  }
  return found;
}

/** Notes that a group has a word, unless so many have it that it finds none. */
function addTo(byWord: Map<number, number[]>, word: number, group: number): void {
  const having = byWord.get(word);
  if (having === undefined) byWord.set(word, [group]);
  else if (having.length <= MOST_STORIES) having.push(group);
}

/** Words with their weights, of length 1, the heaviest first. */
function weighted(row: readonly number[], rarities: Float64Array): [number, number][] {
  const heavy = row
    .map((word): [number, number] => [word, rarities[word]!])
    .filter(([, weight]) => weight > 0)
    .sort((a, b) => b[1] - a[1]);
  const length = Math.sqrt(heavy.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
  return heavy.map(([word, weight]) => [word, weight / length]);
}
