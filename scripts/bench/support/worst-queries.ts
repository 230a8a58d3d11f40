const words = (count: number): string => Array.from({ length: count }, (_, n) => `w${n}`).join(' ');

/** Queries that take longest for texts that repeat a word, a pair of words or a character. */
export const WORST_QUERIES: readonly { name: string; q: string }[] = [
  { name: 'a word', q: 'a' },
  { name: 'a long phrase', q: `"${'a '.repeat(100)}"` },
  { name: 'a phrase without its end', q: `"${'a '.repeat(99)}b"` },
  { name: 'a phrase of pairs', q: `"${'ab ba '.repeat(50)}"` },
  { name: 'a phrase without spaces', q: `"${'東'.repeat(99)}"` },
  { name: 'words near each other', q: '"a b"~100' },
  { name: 'many words near each other', q: `"${words(15)} a"~100` },
  { name: 'the same word near itself', q: `"${'a '.repeat(16)}"~100` },
  { name: 'beginnings', q: 'a* b* 東' },
  { name: 'alternatives', q: `${'a OR '.repeat(500)}b` },
  {
    name: 'phrases as alternatives',
    q: Array.from({ length: 16 }, (_, n) => `"${'a '.repeat(n + 2)}b"`).join(' OR '),
  },
  { name: 'exclusions', q: `${'-a '.repeat(500)}b` },
  { name: 'nested brackets', q: `${'(a OR '.repeat(100)}b${')'.repeat(100)}` },
];
