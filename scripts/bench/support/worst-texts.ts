/** What writers of texts and queries repeat: words, marks, markup, brackets and separators of all kinds. */
const UNITS = [
  ...'()<>[]{}&*_~`"\'.-/\\|=!?@# \n\t:;^0aAx1é東',
  ...[
    'a ',
    'word ',
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
    'か\u3099',
    '가\u11a8',
    'ที่',
  ],
  ...['e\u0301', '\u0301', '\u0315\u0300\u05ae', '\u200b', '\u200d', '👍🏽', '🇩🇪', '\u{20bb7}', 'ﷺ', '١', '“'],
  ...['<a ', '<p>', '</a>', '<!--', '&amp;', '&lt;', '&#39;', '\\_', '**', '```', '[a](', '](', '{"a":'],
  ...[
    '//',
    'http://',
    'http://a.b/',
    'www.',
    'u/',
    'r/a ',
    ':)',
    '--',
    ' -a',
    ' OR ',
    'a OR ',
    'title:',
    'title:(',
  ],
  ...['a* ', '"a b"~9 ', '\r\n', '\u00a0', '\u2028', '> ', 'not ', 'very good ', 'ab ba '],
];

/** A beginning, what is repeated after it, and an end: what follows a run is what makes an expression look for other ends of it. */
const AROUND: readonly (readonly [start: string, unit: string, end: string])[] = [
  ['https://a.b/', ')', ''],
  ['https://a.b/?', 'utm_a=1&', ''],
  ['https://a.b/x', '*', 'x'],
  ['https://a', '\u0315\u0300', ''],
  ['a', '\u0315\u0300', ''],
  ['x', ' ', 'x'],
  // Signs that begin no tag, with the end of one far away.
  ['', '<1', '>'],
  ['', '<1="" ', '>'],
];

/** A text of which long ones have held the event loop, or could. */
export interface WorstText {
  name: string;
  ofLength: (length: number) => string;
}

export const WORST_TEXTS: readonly WorstText[] = [
  ...UNITS.map((unit) => ['', unit, ''] as const),
  ...AROUND,
].map(([start, unit, end]) => ({
  name: JSON.stringify(`${start}${unit}…${end}`),
  ofLength: (length) => filled(start, unit, end, length),
}));

/** A text of a length that repeats a unit between a beginning and an end. */
export function filled(start: string, unit: string, end: string, length: number): string {
  const repeated = start + unit.repeat(Math.ceil(length / unit.length));
  return repeated.slice(0, length - end.length) + end;
}
