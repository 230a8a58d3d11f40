import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { isFunctionWord } from '../../text/function-words.js';

/** How a text uses a name that is also an ordinary word. */
interface Use {
  /** As a name (true), or only as the ordinary word (false); null where it cannot be known. */
  isName: boolean | null;
  /** The name with the word just before or after it, in lower case. */
  pairs: Set<string>;
  /** Telling words near it: names as written, others in lower case. */
  near: Set<string>;
}

/** Texts that use a name, those that use the ordinary word, and how they differ. */
export interface Uses {
  names: number;
  ordinary: number;
  /** Pairs of words that leave out texts with the ordinary word. */
  exclusions: { pairs: string[]; names: number; ordinary: number };
  /** Words that come near the name, and not near the ordinary word. */
  company: string[];
  /** Texts with the ordinary word, in lower case. */
  ordinaryTexts: readonly string[];
}

const LETTER = '[\\p{L}\\p{N}_]';
const WINDOW = 80;
const SENTENCE_END = /(?:^|[.!?:;\n"“”()[\]|*>-])\s{0,9}$/u;
const BEFORE = /(\S{1,80})\s{1,9}$/u;
const AFTER = /^(?:['’]s)?\s+(\S+)/u;
const LOWER = /^\p{Ll}/u;
const UPPER = /^\p{Lu}/u;
const LINK = /\S{0,80}(?:\/|\w\.\w)\S*/gu;
/** Words in lower case, and names within a sentence or a list. */
const WORDS = /(?<![\p{L}\p{M}\p{N}])(?:(?<=[\p{Ll},]\s)\p{Lu}|\p{Ll})\p{L}+/gu;
const WORD = /^[\p{L}\p{M}][\p{L}\p{M}\p{N}]*$/u;
/** A text whose author begins sentences with a capital. */
const CAREFUL = /(?:^|[.!?]\s{1,9})\p{Lu}\p{Ll}/u;
/** What a pair is worth less for each text with the name that it leaves out. */
const WRONG = 4;
const LEAST = { letters: 3, texts: 3 };
const MOST = { pairs: 10, company: 8 };

/** Reads how texts use a name of one word: with a capital among words without one, in an address, or in lower case. */
export async function usesOf(texts: readonly string[], name: string, turn: EventLoopTurn): Promise<Uses> {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  const places = new RegExp(`(?<!${LETTER})${escaped}(?!${LETTER})`, 'giu');
  const uses: Use[] = [];
  for (const text of texts) {
    if (turn.isOver) await turn.next();
    uses.push(useOf(text, name, places));
  }
  const known = uses.filter(({ isName }) => isName !== null);
  const [names, ordinary] = [true, false].map((use) => known.filter(({ isName }) => isName === use)) as [
    Use[],
    Use[],
  ];
  const others = new Set(ordinary.flatMap(({ near }) => [...near].map((word) => word.toLowerCase())));
  const company = counted(names.map(({ near }) => near)).filter(
    ([word, count]) => !others.has(word.toLowerCase()) && (count >= 2 || UPPER.test(word)),
  );
  return {
    names: names.length,
    ordinary: ordinary.length,
    exclusions: await exclusionsOf(names, ordinary, turn),
    company: company.slice(0, MOST.company).map(([word]) => word),
    ordinaryTexts: texts.filter((_, at) => uses[at]!.isName === false).map((text) => text.toLowerCase()),
  };
}

function useOf(text: string, name: string, places: RegExp): Use {
  const use: Use = { isName: null, pairs: new Set(), near: new Set() };
  const isCareful = CAREFUL.test(text);
  for (const { 0: found, index } of text.matchAll(places)) {
    const before = text.slice(Math.max(0, index - WINDOW), index);
    const after = text.slice(index + found.length, index + found.length + WINDOW);
    const isName = isNameAt(found, before, after, isCareful);
    if (isName === true && use.isName !== true) use.near.clear();
    if (isName !== null) use.isName = use.isName === true || isName;
    addPairs(use.pairs, name, before, after);
    if (use.isName !== true || isName === true)
      for (const [word] of `${before} ${after}`.replace(LINK, ' ').matchAll(WORDS))
        if (isTelling(word, name)) use.near.add(word);
  }
  return use;
}

function isNameAt(found: string, before: string, after: string, isCareful: boolean): boolean | null {
  if (/[#@]$/u.test(before) || /^\.\p{Ll}{2,}/u.test(after)) return true;
  if (LOWER.test(found)) return isCareful ? false : null;
  const [previous, next] = [BEFORE.exec(before)?.[1], AFTER.exec(after)?.[1]];
  if (!UPPER.test(found) || SENTENCE_END.test(before) || previous === undefined) return null;
  const isFree = LOWER.test(previous) || previous.endsWith(',');
  return isFree && !UPPER.test(next ?? '') ? true : null;
}

function addPairs(pairs: Set<string>, name: string, before: string, after: string): void {
  const previous = BEFORE.exec(before)?.[1];
  const next = AFTER.exec(after)?.[1]?.replace(/[^\p{L}\p{N}]{1,80}$/u, '');
  if (previous !== undefined && WORD.test(previous)) pairs.add(`${previous} ${name}`.toLowerCase());
  if (next !== undefined && WORD.test(next)) pairs.add(`${name} ${next}`.toLowerCase());
}

const isTelling = (word: string, name: string): boolean =>
  word.length >= LEAST.letters &&
  word.toLowerCase() !== name.toLowerCase() &&
  !isFunctionWord(word.toLowerCase(), 'en');

/** The pairs that leave out most texts with the ordinary word, and few with the name. */
async function exclusionsOf(
  names: readonly Use[],
  ordinary: readonly Use[],
  turn: EventLoopTurn,
): Promise<Uses['exclusions']> {
  let [left, kept] = [ordinary, names];
  const pairs: string[] = [];
  while (pairs.length < MOST.pairs) {
    if (turn.isOver) await turn.next();
    const wrong = new Map(counted(kept.map((use) => use.pairs)));
    const worth = counted(left.map((use) => use.pairs))
      .filter(([, count]) => count >= LEAST.texts)
      .map(([pair, count]) => [pair, count - WRONG * (wrong.get(pair) ?? 0)] as const)
      .sort((a, b) => b[1] - a[1]);
    const [pair, most] = worth[0] ?? ['', 0];
    if (most <= 0) break;
    pairs.push(pair);
    left = left.filter((use) => !use.pairs.has(pair));
    kept = kept.filter((use) => !use.pairs.has(pair));
  }
  return { pairs, names: kept.length, ordinary: left.length };
}

/** How many of the sets have each word, the most frequent first. */
function counted(sets: readonly ReadonlySet<string>[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
