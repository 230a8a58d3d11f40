import fc from 'fast-check';
import { MarkedText, type Part, partOf, tokensOf } from './answer-parts.js';

const MAX_TOKENS = 10_000;
const fits = ({ value }: Part): boolean => tokensOf(JSON.stringify(value)) <= MAX_TOKENS;

/** All parts of a value, as a reader receives them. */
function partsOf(value: unknown): unknown[] {
  const parts: unknown[] = [];
  for (let from: number | null = 0; from !== null;) {
    const part = partOf(value, from, fits);
    expect(part.next ?? Infinity).toBeGreaterThan(from);
    parts.push(JSON.parse(JSON.stringify(part.value)));
    from = part.next;
  }
  return parts;
}

/** One record of its parts: lists and texts in a row, and fields that are the same in all. */
function joined(parts: readonly Record<string, unknown>[], small: ReadonlySet<string>): object {
  const whole: Record<string, unknown> = {};
  for (const part of parts)
    for (const [name, field] of Object.entries(part)) {
      const before = whole[name];
      if (small.has(name) || before === undefined) whole[name] = field;
      else if (Array.isArray(before)) whole[name] = [...(before as unknown[]), ...(field as unknown[])];
      else whole[name] = `${before as string}${field as string}`;
    }
  return whole;
}

describe('the parts of an answer', () => {
  it('are one when it fits', () => {
    const value = { title: 'x', items: [1, 2] };
    expect(partOf(value, 0, fits)).toEqual({ value, next: null });
  });

  it('have all items of a list, each once and whole', () => {
    const items = Array.from({ length: 3_000 }, (_, id) => ({
      id,
      name: `alert ${id}`,
      keywords: ['a', 'b'],
    }));
    const parts = partsOf({ items, total: 3_000 }) as { items: object[]; total: number }[];
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.flatMap((part) => part.items)).toEqual(items);
    expect(parts.every(({ total }) => total === 3_000)).toBe(true);
  });

  it('repeat small fields of a list within a list', () => {
    const buckets = Array.from({ length: 2_000 }, (_, count) => ({ start: '2026-01-01T00:00:00Z', count }));
    const value = { series: ['a', 'b'].map((key) => ({ key, buckets })) };
    const seen: Record<string, unknown[]> = { a: [], b: [] };
    for (const { series } of partsOf(value) as { series: { key: string; buckets?: object[] }[] }[])
      for (const { key, buckets: some } of series) seen[key]!.push(...(some ?? []));
    expect(seen).toEqual({ a: buckets, b: buckets });
  });

  it('have all fields of a record with very many small ones', () => {
    const counts = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`forum${n}`, n]));
    const parts = partsOf({ counts }) as { counts: object }[];
    expect(Object.assign({}, ...parts.map((part) => part.counts))).toEqual(counts);
  });

  it('have a text between marks in each of them', () => {
    const value = { selftext: new MarkedText('長い'.repeat(10_000), 'mark') };
    const texts = (partsOf(value) as { selftext: string }[]).map(({ selftext }) => selftext);
    for (const text of texts) expect(text).toMatch(/^<mark>(?:長い)+<\/mark>$/);
    expect(texts.map((text) => text.slice(6, -7)).join('')).toBe('長い'.repeat(10_000));
  });

  it('fit, and have together all texts, lists and fields', () => {
    const text = fc
      .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), fc.nat(1_000))
      .map(([words, times]) => words.repeat(times));
    const list = fc
      .tuple(fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }), fc.nat(500))
      .map(([item, times]) => Array.from({ length: times }, () => [times, item]));
    const record = fc.record({ id: fc.nat(), name: fc.string({ maxLength: 20 }), text, list, body: text });
    fc.assert(
      fc.property(record, (value) => {
        const parts = partsOf(value) as Record<string, unknown>[];
        for (const part of parts) expect(fits({ value: part, next: null })).toBe(true);
        const repeated = Object.entries(value)
          .filter(([, field]) => !Array.isArray(field) && tokensOf(JSON.stringify(field)) <= 100)
          .map(([name]) => name);
        expect(joined(parts, new Set(repeated))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 20 },
    );
  });
});
