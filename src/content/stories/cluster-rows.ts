import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { readWords, type WordRows } from '../../search/recall/word-rows.js';
import { alikeRows, repostedRows } from './alike-rows.js';
import { storyKeys } from './story-keys.js';
import { type SubjectNames, subjectNames } from './subject-names.js';
import { subjectRows } from './subject-rows.js';

/** What is read of a post or comment. */
export interface StoryText {
  title: string;
  text: string;
  links: readonly (string | null)[];
}

/** Rows about the same. */
export interface RowCluster {
  /** In the order of the texts. */
  rows: number[];
  /** Rows that differ, those first that have most of what the story is about. */
  telling: number[];
  keywords: string[];
}

/** Links and names of accounts say nothing about the subject. */
const ADDRESS = /(?:https?:\/\/|\B@)\S+/gu;
/** Words of more rows and of a larger share of them do not tell stories apart. */
const COMMON = { rows: 5, share: 0.5 };
const LEAST_ROWS = 2;
const MOST = { telling: 10, keywords: 8 };

/** Puts texts together that are about the same event or subject; those that are alone are left out. */
export async function clusterRows(texts: readonly StoryText[], turn: EventLoopTurn): Promise<RowCluster[]> {
  if (texts.length < LEAST_ROWS) return [];
  const keys = [];
  for (const text of texts) {
    if (turn.isOver) await turn.next();
    keys.push(storyKeys(text));
  }
  const first = await repostedRows(keys, turn);
  const read = await readWords(
    texts.map(({ title, text }) => `${title}\n${text}`.replace(ADDRESS, ' ')),
    turn,
  );
  const names = await subjectNames(
    read,
    keys.map(({ language }) => language),
    turn,
  );
  const subjects = await subjectRows(read, names, turn);
  const alone = texts.map((_, row) => row).filter((row) => first[row] === row && subjects[row]! < 0);
  const alike = await alikeRows(read, alone, raritiesOf(read, names), turn);
  const groups = new Map<number, number[]>();
  texts.forEach((_, row) => {
    const of = first[row]!;
    const subject = subjects[of]!;
    const group = subject >= 0 ? subject : names.count + (alike.get(of) ?? texts.length + of);
    const rows = groups.get(group);
    if (rows === undefined) groups.set(group, [row]);
    else rows.push(row);
  });
  const clusters: RowCluster[] = [];
  for (const rows of groups.values()) {
    if (rows.length < LEAST_ROWS) continue;
    if (turn.isOver) await turn.next();
    clusters.push({ rows, ...(await describe(rows, first, read, names, turn)) });
  }
  return clusters;
}

/** By word: how rare it is in general; 0 for common words of these texts. */
function raritiesOf({ words, rows }: WordRows, { excesses }: SubjectNames): Float64Array {
  return Float64Array.from(words, ({ rows: of }, word) => {
    const share = of.length / rows.length;
    return of.length > COMMON.rows && share > COMMON.share
      ? 0
      : Math.max(0, excesses[word]! - Math.log2(share));
  });
}

/** The words that a story has more than other texts, and the rows that have most of them. */
async function describe(
  of: readonly number[],
  first: Int32Array,
  { words, rows }: WordRows,
  { excesses }: SubjectNames,
  turn: EventLoopTurn,
): Promise<Pick<RowCluster, 'telling' | 'keywords'>> {
  const counts = new Map<number, number>();
  for (const row of of) {
    if (turn.isOver) await turn.next();
    for (const word of rows[row]!) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weight = (word: number): number =>
    (counts.get(word)! / of.length) *
    Math.max(0, excesses[word]! + Math.log2(counts.get(word)! / words[word]!.rows.length));
  const weights = new Map([...counts.keys()].map((word) => [word, weight(word)]));
  const best = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).filter(([, value]) => value > 0);
  const scores = new Map<number, number>();
  for (const row of of) {
    if (turn.isOver) await turn.next();
    const sum = rows[row]!.reduce((all, word) => all + weights.get(word)!, 0);
    scores.set(row, sum / Math.sqrt(rows[row]!.length + 4));
  }
  const different = [...new Map(of.map((row) => [first[row]!, row] as const).reverse()).values()];
  return {
    telling: different.sort((a, b) => scores.get(b)! - scores.get(a)! || a - b).slice(0, MOST.telling),
    keywords: best.slice(0, MOST.keywords).map(([word]) => words[word]!.form),
  };
}
