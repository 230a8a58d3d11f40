import { isSteep } from './steep-work.js';

/** As long as the longest post of the platforms. */
const LENGTH = 40_000;

const REPEATED = [
  ...'()<>[]{}&*_~`"\'.-/\\|=!?@# \n\t0aA',
  ...['\u0301', '\u200d', 'あ', '😀', '&amp;', '&lt;', '<a ', '<p>'],
];

/** Texts of any length of which long ones have held a worker, and others that expressions could meet. */
export const HOSTILE_TEXTS: readonly ((length: number) => string)[] = [
  ...REPEATED.map((unit) => (length: number) => filled('', unit, '', length)),
  (length) => filled('https://a.b/', ')', '', length),
  (length) => filled('https://a.b/?', 'utm_a=1&', '', length),
  // What follows a run is what makes an expression look for other ends of it.
  (length) => filled('https://a.b/x', '*', 'x', length),
  (length) => filled('x', ' ', 'x', length),
  // Signs that begin no tag, with the end of one far away.
  (length) => filled('', '<1', '>', length),
  (length) => filled('', '<1="" ', '>', length),
];

/** A text of a length that repeats a unit between a beginning and an end. */
export function filled(start: string, unit: string, end: string, length: number): string {
  const repeated = start + unit.repeat(Math.ceil(length / unit.length));
  return repeated.slice(0, length - end.length) + end;
}

/** The beginning of the first hostile text for which work grows much faster than the text; null if there is none. */
export async function steepText(work: (text: string) => unknown): Promise<string | null> {
  for (const textOf of HOSTILE_TEXTS)
    if (await isSteep((length) => work(textOf(length)), LENGTH)) return textOf(20);
  return null;
}
