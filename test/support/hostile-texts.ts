/** As long as the longest post of the platforms. */
const LENGTH = 40_000;
/** Most milliseconds of processor time that a kind of work may take for one of the texts. */
export const LIMIT_MS = 200;

const REPEATED = [
  ...'()<>[]{}&*_~`"\'.-/\\|=!?@# \n\t0aA',
  ...['\u0301', '\u200d', 'あ', '😀', '&amp;', '&lt;', '<a ', '<p>'],
];

/** Texts of which long ones have held a worker, and others that expressions could meet. */
export const HOSTILE_TEXTS: readonly string[] = [
  `https://a.b/${')'.repeat(28_000)}`,
  ...REPEATED.map((unit) => unit.repeat(Math.ceil(LENGTH / unit.length))),
  `https://a.b/?${'utm_a=1&'.repeat(5_000)}`,
  // Whole texts, since what follows a run is what makes an expression look for other ends of it.
  `https://a.b/x${'*'.repeat(LENGTH - 14)}x`,
  `x${' '.repeat(LENGTH - 2)}x`,
].map((text) => text.slice(0, LENGTH));

/** A text of the same length that costs what reading it costs. */
export const PLAIN_TEXT = 'word '.repeat(LENGTH / 5);
