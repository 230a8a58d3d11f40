import { readingOf } from './reading.js';
import { readRecord } from './record.js';
import { SCANNER } from './scanner.js';
import { MAX_TERMS } from './term-table.js';

function formsIn(title: string, text: string): string[] {
  const { terms, start, end } = readingOf({ title, text });
  return Array.from(terms.subarray(start, end), (term) => SCANNER.terms.term(term).form);
}

describe('readingOf', () => {
  it('has the words of title and text in the order of the text', () => {
    expect(formsIn('Go and Rust', 'Rust beats go')).toEqual(['go', 'and', 'rust', 'rust', 'beats', 'go']);
  });

  it('takes what was read to store the record', () => {
    const texts = { title: 'A title', text: 'with a text' };
    readRecord(texts, 'en');
    readRecord({ title: 'Another', text: 'record' }, 'en');
    const { end } = readingOf({ title: 'Another', text: 'record' });
    expect(readingOf(texts).end).toBeLessThan(end);
    expect(formsIn('A title', 'with a text')).toEqual(['a', 'title', 'with', 'a', 'text']);
  });

  it('takes nothing from a record with the same text and another title', () => {
    readRecord({ title: 'First', text: 'same' }, 'en');
    expect(formsIn('Second', 'same')).toEqual(['second', 'same']);
  });

  it('takes nothing from before the table of terms started anew', () => {
    const texts = { title: 'before', text: 'it was full' };
    readRecord(texts, 'en');
    const { generation } = SCANNER.terms;
    readRecord({ title: '', text: Array.from({ length: MAX_TERMS }, (_, n) => `word${n}`).join(' ') }, 'en');
    SCANNER.scan('anew');
    expect(SCANNER.terms.generation).toBeGreaterThan(generation);
    expect(formsIn('before', 'it was full')).toEqual(['before', 'it', 'was', 'full']);
  });
});
