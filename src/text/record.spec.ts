import type { SearchedTexts } from './reading.js';
import { readRecord } from './record.js';
import { searchValue } from './search-value.js';

const lexemes = (text: string, language = 'en'): string[] => [
  ...placesIn({ title: '', text }, language).keys(),
];

function placesIn(texts: SearchedTexts, language = 'en'): Map<string, number[]> {
  const record = readRecord(texts, language);
  return new Map(
    Array.from({ length: record.count }, (_, number) => [record.text(number), record.placesOf(number)]),
  );
}

const long = (text: string): string => text + ' '.repeat(100);

describe('the lexemes of a record', () => {
  it('are forms, and stems that differ from the form', () => {
    expect(lexemes('run running')).toEqual(['run', 'running', '~run']);
  });

  it('are forms and stems of the language in a text of another language', () => {
    expect(lexemes(long('die Batterie'), 'de')).toEqual(['die', 'batterie', '^batteri']);
    expect(lexemes(long('die Batterie'), 'de-AT')).toEqual(lexemes(long('die Batterie'), 'de'));
    expect(lexemes(long('información'), 'es')).toEqual(['informacion', '^informacion', '^inform']);
  });

  it('stem words of another script than that of the language by their script', () => {
    expect(lexemes('running аккумуляторы', 'ru')).toEqual([
      'running',
      '~run',
      'аккумуляторы',
      '~аккумулятор',
    ]);
  });

  it('are stems of the default language, too, in a short text', () => {
    expect(lexemes('running', 'nl')).toEqual(['running', '^running', '~run']);
  });

  it('have ascending places, those of the title labelled', () => {
    expect(placesIn({ title: 'Run, run', text: 'they run' }).get('run')).toEqual([0xc001, 0xc002, 12]);
  });

  it('have at most 255 places', () => {
    expect(placesIn({ title: '', text: 'a '.repeat(20_000) }).get('a')).toHaveLength(255);
  });
});

describe('searchValue', () => {
  it('is a tsvector with the words of the title labelled', () => {
    expect(searchValue({ title: 'é runs', text: 'b b' }, 'en')).toBe("'e':1A 'runs':2A '~run':2A 'b':11,12");
  });

  it('stays below the size that Postgres accepts', () => {
    const words = Array.from({ length: 60_000 }, (_, n) => `слово${n}длинноеслово`).join(' ');
    const value = searchValue({ title: '', text: words }, 'ru');
    expect(Buffer.byteLength(value.replace(/[':,\dA ]/g, ''))).toBeLessThan(1_000_000);
  });
});
