import { readingOf } from './reading.js';
import { readRecord } from './record.js';
import { SCANNER } from './scanner.js';
import { MAX_TERMS } from './term-table.js';

const formsIn = (title: string, text: string): string[] =>
  readingOf({ title, text }).terms.map(({ form }) => form);

describe('readingOf', () => {
  it('has each word of title and text once, in the order of the text', () => {
    expect(formsIn('Go and Rust', 'Rust beats go, I think')).toEqual([
      'go',
      'and',
      'rust',
      'beats',
      'i',
      'think',
    ]);
  });

  it('takes what was read to store the record', () => {
    const texts = { title: 'A title', text: 'with a text' };
    readRecord(texts, 'en');
    expect(readingOf(texts)).toBe(readingOf(texts));
    expect(formsIn('A title', 'with a text')).toEqual(['a', 'title', 'with', 'text']);
  });

  it('takes nothing from a record with the same text and another title', () => {
    readRecord({ title: 'First', text: 'same' }, 'en');
    expect(formsIn('Second', 'same')).toEqual(['second', 'same']);
  });

  it('takes nothing from before the table of terms started anew', () => {
    const texts = { title: 'before', text: 'it was full' };
    readRecord(texts, 'en');
    const { generation } = readingOf(texts);
    readRecord({ title: '', text: Array.from({ length: MAX_TERMS }, (_, n) => `word${n}`).join(' ') }, 'en');
    SCANNER.scan('anew');
    expect(readingOf(texts).generation).toBeGreaterThan(generation);
    expect(formsIn('before', 'it was full')).toEqual(['before', 'it', 'was', 'full']);
  });
});
