import { nextReading, readableUntil, refuseSeries, seriesOf, startOfReading } from './spike-condition.js';

const SPIKE = { measure: 'count', interval: 'hour', direction: 'up' } as const;
const WATCHED = {
  keywords: [],
  query: null,
  forums: [],
  of: 'posts',
  delivery: null,
  spike: SPIKE,
  story: null,
} as const;
type Watched = Parameters<typeof seriesOf>[0] & { story: null };
const watched = (more: object): Watched => ({ ...WATCHED, ...more }) as unknown as Watched;

describe('the series of an alert on spikes', () => {
  it.each([
    [{ keywords: ['a'] }, 'a'],
    [{ keywords: ['a', 'b c', 'd"e'] }, 'a OR "b c" OR "d e"'],
    [{ keywords: ['a'], query: 'b -c' }, 'a OR (b -c)'],
    [{ keywords: ['a', 'b'], forums: ['f', 'g'] }, '(a OR b) (forum:"f" OR forum:"g")'],
    [{ query: 'a OR b', forums: ['f'] }, '((a OR b)) (forum:"f")'],
  ])('of %j counts %s', (given, q) => expect(seriesOf(watched(given)).q).toBe(q));

  it.each([
    ['posts', ['posts']],
    ['comments', ['comments']],
    ['all', ['posts', 'comments']],
  ])('of %s counts %j', (of, subjects) => expect(seriesOf(watched({ of })).subjects).toEqual(subjects));

  it.each([
    [4_000, null],
    [4_001, 'condition'],
  ])('may have a search of %i characters: %s', (length, field) => {
    const refused = (): void => refuseSeries(watched({ keywords: ['a'.repeat(length)] }));
    if (field === null) return expect(refused).not.toThrow();
    expect(refused).toThrow(field);
  });

  it.each([
    ['2026-05-01T09:59:59.999Z', 'UTC', 'hour', '2026-05-01T10:05:00.000Z'],
    ['2026-05-01T10:00:00.000Z', 'UTC', 'hour', '2026-05-01T11:05:00.000Z'],
    ['2026-05-01T21:59:59.999Z', 'Europe/Berlin', 'day', '2026-05-01T22:05:00.000Z'],
    ['2026-05-01T22:00:00.000Z', 'Europe/Berlin', 'day', '2026-05-02T22:05:00.000Z'],
  ])('at %s in %s is read by the %s next at %s', (now, timezone, interval, next) => {
    const alert = watched({ delivery: { timezone }, spike: { ...SPIKE, interval } });
    expect(nextReading(alert, new Date(now)).toISOString()).toBe(next);
    expect(startOfReading({ ...alert, isActive: true }, new Date(now)).spikeDueAt?.toISOString()).toBe(next);
    expect(startOfReading({ ...alert, isActive: false }, new Date(now)).spikeDueAt).toBeNull();
  });

  it('ends five minutes ago', () => {
    expect(readableUntil(new Date(300_000)).getTime()).toBe(0);
  });
});
