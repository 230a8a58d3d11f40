import { classOf, compose, foldCodePoint, FREE, HYPHEN, PUNCTUATION, SPACE, WORD } from './fold.js';

describe('the folded form of a character', () => {
  it.each([
    ...['ßss', 'æae', 'œoe', 'øo', 'đd', 'ðd', 'þth', 'ħh', 'ıi', 'łl', 'ŧt', 'ςσ', 'Æae', 'Łl', 'éé'],
    ...["‘'", "’'", "ʼ'", "′'", '“"', '”"', '‐-', '‒-', '–-', '−-', '⁃-', '\u200b '],
    ...['Ee', 'Ée', 'Ａa', 'ﬁfi', '½1⁄2', 'がが', 'йи', 'ёе', 'άα'],
  ])('%s', (pair) => {
    const [character, ...folded] = [...pair];
    expect(foldCodePoint(character!)).toBe(folded.join('').replace('é', 'e'));
  });

  it.each([
    ...['\u0300', '\u036f', '\u0591', '\u05bd', '\u05bf', '\u05c1', '\u05c2', '\u05c4', '\u05c5', '\u05c7'],
    ...['\u064b', '\u065f', '\u0670', '\u1ab0', '\u1dc0', '\u1dff', '\u20d0', '\u20ff', '\ufe00', '\ufe0f'],
    ...['\ufe20', '\ufe2f', '\u{e0100}', '\u{e01ef}', '\u00ad', '\u200d'],
  ])('is empty for the mark or invisible character %j', (character) => {
    expect(foldCodePoint(character)).toBe('');
  });

  it.each(['\u05be', '\u0660', '\u093f', '\u3099'])('keeps %j, which is no accent', (character) => {
    expect(foldCodePoint(character)).not.toBe('');
  });
});

describe('the class of a character', () => {
  it.each([
    ['a', WORD],
    ['1', WORD],
    ['ि', WORD],
    ['漢', FREE],
    ['ひ', FREE],
    ['カ', FREE],
    ['ㄅ', FREE],
    ['한', FREE],
    ['ไ', FREE],
    ['ລ', FREE],
    ['ខ', FREE],
    ['မ', FREE],
    ['🚀', FREE],
    ['🇩', FREE],
    ['-', HYPHEN],
    [' ', SPACE],
    ['\u2028', SPACE],
    ['\u0007', SPACE],
    ['.', PUNCTUATION],
    ['+', PUNCTUATION],
  ])('%j', (character, expected) => {
    expect(classOf(character)).toBe(expected);
  });
});

it('composes letters, but no trade mark sign with the word before it', () => {
  expect([compose('cafe\u0301'), compose('ｶﾞ'), compose('a™b℠'), compose('plain ½')]).toEqual([
    'café',
    'ガ',
    'a b ',
    'plain ½',
  ]);
});
