import { packPosition } from './term-postings.js';
import { readTsvector } from './tsvector.js';

const lexemesOf = (text: string): [string, number, number[]][] => {
  const found: [string, number, number[]][] = [];
  readTsvector(text, (lexeme, occurrences, positions) => found.push([lexeme, occurrences, [...positions]]));
  return found;
};

describe('a tsvector', () => {
  it('is read with the occurrences in the title and outside it', () => {
    expect(lexemesOf(`'batteri':2A,7,9 'usb'`)).toEqual([
      ['batteri', 0x12, [packPosition(2, true), packPosition(7, false), packPosition(9, false)]],
      ['usb', 0x01, [packPosition(0, false)]],
    ]);
  });

  it.each([
    [`'o''neil':1`, `o'neil`],
    [String.raw`'a\\b':1`, String.raw`a\b`],
    [String.raw`'a\\':1`, 'a\\'],
    [String.raw`'\\''':1`, `\\'`],
  ])('is read with quotes and backslashes in lexemes: %s', (text, lexeme) => {
    expect(lexemesOf(`${text} 'usb':2`).map(([word]) => word)).toEqual([lexeme, 'usb']);
  });
});
