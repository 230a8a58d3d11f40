import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import Markdown from './components/markdown.tsx';
import { MarkedText } from './components/marked-text.tsx';
import { withoutMarkup } from './components/plain-text.ts';
import { excerptOf, markWords } from './components/word-marks.ts';
import { inWords } from './field-labels.ts';
import { filled } from '../../scripts/bench/support/worst-texts.ts';
import { isSteep } from '../../test/support/steep-work.ts';

const LENGTH = 40_000;

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
  ...UNITS.map((unit) => (length: number) => filled('', unit, '', length)),
  (length: number) => filled('https://a.b/', ')', '', length),
  // What follows a run is what makes an expression look for other ends of it.
  (length: number) => filled('x', ' ', 'x', length),
];

const WORK: Record<string, (text: string) => unknown> = {
  'the text without markup': withoutMarkup,
  'the marks of words': (text) => markWords(text, ['solar battery', 'a', '0']),
  'the excerpt of a text': (text) => excerptOf(text, ['solar'], 200),
  'the marked fragment': (text) => renderToStaticMarkup(createElement(MarkedText, { fragment: text })),
  'the message of a field': (text) => inWords(text, String),
  'the text in Markdown': (text) => renderToStaticMarkup(createElement(Markdown, { text })),
};

describe('a hostile text', () => {
  it('is one of at least forty', () => {
    expect(TEXTS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.keys(WORK))(
    'costs %s in proportion to its length',
    async (kind) => {
      const steep: string[] = [];
      for (const textOf of TEXTS)
        if (await isSteep((length) => WORK[kind]!(textOf(length)), LENGTH)) steep.push(textOf(12));
      expect(steep).toEqual([]);
    },
    60_000,
  );
});
