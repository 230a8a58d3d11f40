import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import Markdown from './components/markdown.tsx';
import { MarkedText } from './components/marked-text.tsx';
import { withoutMarkup } from './components/plain-text.ts';
import { excerptOf, markWords } from './components/word-marks.ts';
import { inWords } from './field-labels.ts';

const LENGTH = 40_000;
const LIMIT_MS = 200;
/** Work that takes longer is repeated, since compiling code counts too. */
const ATTEMPTS = 5;

const UNITS = [
  ...'()<>[]{}&*_~`"\'.-/\\|=!?@# \n\t0aA',
  ...[
    '\u0301',
    'あ',
    '😀',
    '&amp;',
    '<mark>',
    '](',
    '![',
    '**a',
    '> ',
    'https://',
    'a@b.',
    '- ',
    '1. ',
    '_a',
    'a*',
    '- a\n',
    '#\n',
  ],
];
const TEXTS = [
  ...UNITS.map((unit) => unit.repeat(Math.ceil(LENGTH / unit.length))),
  `https://a.b/${')'.repeat(LENGTH)}`,
  // A whole text, since what follows a run is what makes an expression look for other ends of it.
  `x${' '.repeat(LENGTH - 2)}x`,
].map((text) => text.slice(0, LENGTH));

const WORK: Record<string, (text: string) => unknown> = {
  'the text without markup': withoutMarkup,
  'the marks of words': (text) => markWords(text, ['solar battery', 'a', '0']),
  'the excerpt of a text': (text) => excerptOf(text, ['solar'], 200),
  'the marked fragment': (text) => renderToStaticMarkup(createElement(MarkedText, { fragment: text })),
  'the message of a field': (text) => inWords(text, String),
  'the text in Markdown': (text) => renderToStaticMarkup(createElement(Markdown, { text })),
};

/** Milliseconds of processor time, which other processes of a busy machine do not change. */
function leastTime(work: () => unknown): number {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least > LIMIT_MS; attempt += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

describe('a hostile text', () => {
  it('is one of at least forty', () => {
    expect(TEXTS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.keys(WORK))(
    'costs %s at most 200 ms',
    (kind) => {
      const slow = TEXTS.map(
        (text) => [text.slice(0, 12), Math.round(leastTime(() => WORK[kind]!(text)))] as const,
      );
      expect(slow.filter(([, milliseconds]) => milliseconds > LIMIT_MS)).toEqual([]);
    },
    60_000,
  );
});
