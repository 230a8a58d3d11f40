import { ByteStrings } from './byte-strings.js';

describe('numbered strings of bytes', () => {
  const MANY = 5_000;
  const strings = new ByteStrings();
  const numberOf = (text: string): number => {
    // Surrounded by other bytes, as in a block.
    const source = Buffer.from(`<${text}>`);
    return strings.of(source, 1, source.length - 1);
  };
  const find = (text: string): number => strings.find(Buffer.from(text), 0, Buffer.byteLength(text));
  const texts = ['', ...Array.from({ length: MANY }, (_, index) => `author${index}`), 'ärger'];

  it('count up from zero, and are the same each time', () => {
    const numbers = texts.map((_, index) => index);
    expect(texts.map(numberOf)).toEqual(numbers);
    expect(texts.map(numberOf)).toEqual(numbers);
    expect(strings.size).toBe(MANY + 2);
  });

  it('are found only if they have a number', () => {
    expect(texts.map(find)).toEqual(texts.map(numberOf));
    expect(['autho', 'author', `author${MANY}`, 'Author1'].map(find)).toEqual([-1, -1, -1, -1]);
  });

  it('have the bytes with which they were numbered', () => {
    expect(texts.map((text) => strings.at(numberOf(text)).toString())).toEqual(texts);
  });
});
