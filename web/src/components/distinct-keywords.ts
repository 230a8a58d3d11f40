import { wordsOfQuery } from './word-marks.ts';

const partsOf = (text: string): string[] => text.toLowerCase().split(/\s+/);

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((part) => all.has(part));

/**
 * Keywords, most important first, without those that say nothing new: the words of the query itself, and parts and
 * extensions of phrases before them.
 */
export function distinctKeywords<T extends { keyword: string }>(keywords: readonly T[], q = ''): T[] {
  const asked = new Set(wordsOfQuery(q).flatMap(partsOf));
  const kept: { one: T; parts: Set<string> }[] = [];
  for (const one of keywords) {
    const parts = new Set(partsOf(one.keyword).filter((part) => !asked.has(part)));
    const isKnown = kept.some((other) => isWithin(parts, other.parts) || isWithin(other.parts, parts));
    if (parts.size > 0 && !isKnown) kept.push({ one, parts });
  }
  return kept.map(({ one }) => one);
}
