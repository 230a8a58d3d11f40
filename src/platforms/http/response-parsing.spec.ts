import { jest } from '@jest/globals';
import {
  asCount,
  asDate,
  asId,
  asInteger,
  asNumber,
  asObjects,
  asTexts,
  asTime,
  MAX_STORED_URL_LENGTH,
  parseObject,
  storableText,
  storableUrl,
  unescaped,
  visibleName,
  visibleText,
} from './response-parsing.js';

describe('values of a response', () => {
  it('are the objects and texts of a list, without what is none', () => {
    const list = [{ a: 1 }, null, [], 'text', '', 5];
    expect([asObjects(list), asTexts(list)]).toEqual([[{ a: 1 }], ['text']]);
    expect([asObjects('text'), asTexts({})]).toEqual([[], []]);
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1]', null],
    ['{"a":', null],
  ])('%s is an object or none', (text, object) => {
    expect(parseObject(text)).toEqual(object);
  });

  it.each([
    [5, 5, 5],
    ['7', 7, 7],
    [-5, 0, null],
    [0, 0, null],
    [1.5, 1, null],
    ['x', 0, null],
  ])('%p counts something, or stands for a record', (value, count, id) => {
    expect([asCount(value), asId(value)]).toEqual([count, id]);
  });

  it.each([
    ['2026-01-02T03:04:05.123456', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05-04', '2026-01-02T07:04:05.000Z'],
    ['yesterday', null],
    [5, null],
  ])('%p is a time, in UTC without a zone', (value, time) => {
    expect(asTime(value)?.toISOString() ?? null).toBe(time);
  });

  it.each([
    ['1700000000', new Date(1_700_000_000_000)],
    [1_700_000_000_000, new Date(1_700_000_000_000)],
    [0, null],
    [-5, null],
    ['', null],
    [null, null],
  ])('%j is the time %j', (value, time) => expect(asDate(value)).toEqual(time));

  it.each([
    1,
    7_258_118_400,
    1e15,
    '0001-01-01T00:00:00Z',
    '1970-01-01',
    '2100-01-01',
    '9999-12-31T23:59:59Z',
  ])('%j is the time of reading, because no post has that time', (value) => {
    const before = Date.now();
    const read = (typeof value === 'number' ? asDate(value) : asTime(value))!.getTime();
    expect(read).toBeGreaterThanOrEqual(before);
    expect(read).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    [1.9, 1],
    ['-1.9', -1],
    [-9e12, -2_147_483_647],
    [9e12, 2_147_483_647],
    [Number.POSITIVE_INFINITY, null],
    ['1e999', null],
    [true, null],
  ])('%j is the whole number %j', (value, number) => expect(asInteger(value)).toBe(number));

  it.each([
    ['1979-12-31T23:59:59.999Z', false],
    ['1980-01-01T00:00:00.000Z', true],
    ['2026-11-30T12:00:00.000Z', true],
    ['2026-11-30T12:00:00.001Z', false],
  ])('the time %s is kept on 29 November 2026 at noon: %s', (text, isKept) => {
    jest.useFakeTimers({ now: Date.parse('2026-11-29T12:00:00Z') });
    try {
      const expected = new Date(isKept ? text : '2026-11-29T12:00:00Z');
      expect([asTime(text), asDate(Date.parse(text) / 1_000)]).toEqual([expected, expected]);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([' ', '', null, undefined, {}, [5]])('%j is not a number', (value) =>
    expect(asNumber(value)).toBeNull(),
  );

  it('are names that some software sends as numbers', () => {
    expect([visibleName(2_024), visibleName(Number.NaN), visibleName(true)]).toEqual(['2024', '', '']);
  });

  it('are texts of bounded length', () => {
    expect(storableText('&lt;abc', 5)).toBe('&lt;a');
    expect(storableText(`abcd😀`, 5)).toBe('abcd');
    expect(storableText('a👩‍👩‍👧', 5)).toBe('a');
    expect(storableText('a\0bcdef', 5)).toBe('abcde');
  });

  it('are decoded once, at any depth', () => {
    const deep = { a: ['&amp;lt;', { b: '&gt;' }, null, 5], c: 'x' };
    expect(unescaped(deep)).toEqual({ a: ['&lt;', { b: '>' }, null, 5], c: 'x' });
    expect(deep.a[0]).toBe('&amp;lt;');
  });

  it.each([
    [' \u200b\u2060\ufeff\u00ad', ''],
    ['\u2800\u3164\u115f\u180e\ufe0f', ''],
    ['\u200ba', '\u200ba'],
    ['👩\u200d👧', '👩\u200d👧'],
  ])('are the name %j: %j', (text, visible) => expect(visibleText(text, 255)).toBe(visible));

  it('are URLs of bounded length', () => {
    const url = 'x'.repeat(MAX_STORED_URL_LENGTH);
    const dropped = new Set<string>();
    expect(storableUrl(url, dropped)).toBe(url);
    expect(storableUrl(`${url}x`, dropped)).toBeNull();
    expect([...dropped]).toEqual([`${url}x`]);
  });
});
