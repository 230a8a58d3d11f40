import { rounded } from './support/measure.js';
import { WORST_FUNCTIONS, type WorstFunction } from './support/worst-functions.js';

/** Parts that texts and queries consist of, repeated: words, marks, markup, brackets and separators of all kinds. */
const PARTS = [
  'a ',
  'word ',
  'x',
  '1',
  '1,',
  '1.',
  'a-',
  "a'",
  'a_',
  'a&',
  'a.',
  '#a',
  '#東',
  '@a ',
  '$1 ',
  '東',
  'か\u3099',
  '가\u11a8',
  'ที่',
  'é',
  'e\u0301',
  '\u0301',
  '\u0315\u0300\u05ae',
  '\u200b',
  '👍🏽',
  '🇩🇪',
  '\u{20bb7}',
  'ﷺ',
  '١',
  '<a ',
  '<p>',
  '</a>',
  '<!--',
  '&amp;',
  '&#39;',
  '&',
  '<',
  '\\',
  '\\_',
  '*',
  '**',
  '`',
  '```',
  '[',
  '[a](',
  '](',
  '(',
  ')',
  '{',
  '{"a":',
  '"',
  "'",
  '“',
  '~',
  '^',
  '|',
  '/',
  '//',
  'http://',
  'http://a.b/',
  'www.',
  'u/',
  'r/a ',
  ':',
  ':)',
  ';',
  '!',
  '?',
  '=',
  '-',
  '--',
  ' -a',
  ' OR ',
  'a OR ',
  'title:',
  'title:(',
  'a* ',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  '\u2028',
  '> ',
  'Disallow: /*\n',
  'Disallow: /*a',
  'not ',
  'very good ',
];
const QUERIES = [
  'a',
  `"${'a '.repeat(100)}"`,
  `"${'a '.repeat(99)}b"`,
  `"${Array.from({ length: 15 }, (_, n) => `w${n}`).join(' ')} a"~100`,
  '"a b"~100',
  'a* b* 東',
  `${'a OR '.repeat(500)}b`,
  `${'-a '.repeat(500)}b`,
  `"${'東'.repeat(99)}"`,
];
/** The event loop may be held for so many milliseconds of processor time, which other processes do not lengthen. */
const LONGEST_MS = 50;
/** Growth over four times the length: 4 for linear work, 4.9 for n log n; more is noise of short times, or steep. */
const MOST_GROWTH = 6.5;
/** Shorter times are not compared. */
const LEAST_MS = 4;
const RUNS = 3;

interface Worst {
  function: string;
  text: string;
  query: string;
  milliseconds: number;
  /** Milliseconds of the whole length in those of a quarter of it. */
  growth: number;
}

/**
 * Every function over texts of strangers and queries, with the worst of many texts at the longest length, its half and its
 * quarter. `violations` names those that hold the event loop for more than 50 ms or grow faster than n log n.
 */
export async function run(names: string[] = []): Promise<{ worst: Worst[]; violations: string[] }> {
  const worst: Worst[] = [];
  const violations: string[] = [];
  for (const one of WORST_FUNCTIONS) {
    if (names.length > 0 && !names.includes(one.name)) continue;
    const { longest, steepest } = await worstOf(one);
    worst.push(longest);
    if (longest.milliseconds > LONGEST_MS)
      violations.push(`${one.name}: ${longest.milliseconds} ms for ${longest.text} ${longest.query}`);
    if (steepest.growth > MOST_GROWTH)
      violations.push(`${one.name}: grows ${steepest.growth} times for ${steepest.text} ${steepest.query}`);
  }
  return { worst, violations };
}

async function worstOf(one: WorstFunction): Promise<{ longest: Worst; steepest: Worst }> {
  let longest: Worst | null = null;
  let steepest: Worst | null = null;
  for (const query of one.hasQuery === true ? QUERIES : ['']) {
    for (const part of PARTS) {
      const measured = await measure(one, part, query);
      if (longest === null || measured.milliseconds > longest.milliseconds) longest = measured;
      if (steepest === null || measured.growth > steepest.growth) steepest = measured;
    }
  }
  return { longest: longest!, steepest: steepest! };
}

async function measure(one: WorstFunction, part: string, query: string): Promise<Worst> {
  const timeOf = async (length: number): Promise<number> => {
    const work = await one.prepare(part.repeat(Math.ceil(length / part.length)).slice(0, length), query);
    let least = Infinity;
    for (let run = 0; run < RUNS; run += 1) {
      const began = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(began);
      least = Math.min(least, (user + system) / 1_000);
    }
    return least;
  };
  let whole = await timeOf(one.longest);
  let growth = 1;
  // A quarter is not compared with nothing, and steep growth only counts when it is seen again.
  for (let look = 0; look < RUNS && whole >= LEAST_MS && (look === 0 || growth > MOST_GROWTH); look += 1) {
    const [long, half, quarter] = [
      await timeOf(one.longest),
      await timeOf(one.longest / 2),
      await timeOf(one.longest / 4),
    ];
    whole = Math.min(whole, long);
    growth = Math.max(
      1,
      Math.min(look === 0 ? Infinity : growth, Math.max(whole / quarter, (2 * whole) / half)),
    );
  }
  return {
    function: one.name,
    text: JSON.stringify(part),
    query: query.length > 40 ? `${query.slice(0, 40)}…` : query,
    milliseconds: rounded(whole, 1),
    growth: rounded(growth, 1),
  };
}
