import { ByteStrings, KnownValues, ValueNumbers } from './term-keys.js';

describe('the numbers of values', () => {
  it('count up from zero for keys, and are the same each time', () => {
    const numbers = new ValueNumbers();
    const keys: [string, string][] = [
      ['music', 'Music'],
      ['', ''],
      ['music', 'MUSIC'],
      ['music', 'Music'],
      ['__proto__', ''],
    ];
    expect(keys.map(([value, detail]) => numbers.ofText(value, detail))).toEqual([0, 1, 2, 0, 3]);
    expect([0, 1, 2, 3].map((key) => numbers.detailBytes(key).toString())).toEqual([
      'Music',
      '',
      'MUSIC',
      '',
    ]);
    expect([0, 1, 2, 3].map((key) => numbers.valueAt(numbers.valueOf(key)))).toEqual([
      'music',
      '',
      'music',
      '__proto__',
    ]);
    expect([numbers.size, numbers.valueCount]).toEqual([4, 3]);
    expect([numbers.findValue('music'), numbers.findValue('Music')]).toEqual([numbers.valueOf(2), -1]);
  });

  const counted = (known: KnownValues, workspaceId: string, field: string, values: string[]): number => {
    const fields = known.of(workspaceId, [field]);
    for (const value of values) fields.get(field)!.ofText(value, '');
    known.keep(workspaceId, fields);
    return known.of(workspaceId, [field]).get(field)!.size;
  };

  it('are kept separately for each workspace and field', () => {
    const known = new KnownValues(1_000_000);
    expect(counted(known, 'w1', 'author', ['ada', 'kay'])).toBe(2);
    expect(counted(known, 'w1', 'author', ['lee'])).toBe(3);
    expect(counted(known, 'w1', 'flair', ['news'])).toBe(1);
    expect(counted(known, 'w2', 'author', ['ada'])).toBe(1);
  });

  it('are dropped when they take too much memory, least recently counted first', () => {
    const one = new ValueNumbers();
    one.ofText('a', '');
    const known = new KnownValues(2 * one.bytes + 2);
    for (const field of ['author', 'flair', 'forum']) expect(counted(known, 'w', field, ['a'])).toBe(1);
    expect(known.of('w', ['author']).get('author')!.size).toBe(0);
    expect(known.of('w', ['forum']).get('forum')!.size).toBe(1);
  });

  it('are dropped when a field has grown too large', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `author${index}`);
    expect(counted(new KnownValues(20_000), 'w', 'author', many)).toBe(0);
    expect(counted(new KnownValues(2_000_000), 'w', 'author', many)).toBe(5_000);
  });
});

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
