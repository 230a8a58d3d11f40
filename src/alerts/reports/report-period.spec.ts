import { lastSending, nextSending, periodsBefore, type ReportPlan } from './report-period.js';

const PLAN: ReportPlan = { every: 'month', at: '08:00', weekday: 'monday', timezone: 'Europe/Berlin' };

const at = (time: string): number => Date.parse(`${time}Z`);
const shown = (time: number | Date): string => new Date(time).toISOString().slice(0, 16);

describe('the time of a report', () => {
  it.each<[Partial<ReportPlan>, string, string]>([
    [{}, '2026-01-31T23:00', '2026-02-01T07:00'],
    [{}, '2026-03-01T07:00', '2026-04-01T06:00'],
    [{ every: 'day' }, '2026-03-28T07:00', '2026-03-29T06:00'],
    [{ every: 'day', at: '02:30' }, '2026-03-28T12:00', '2026-03-29T01:00'],
    [{ every: 'week', weekday: 'sunday' }, '2026-10-18T06:00', '2026-10-25T07:00'],
  ])('%j after %s is %s', (plan, now, expected) => {
    expect(shown(nextSending({ ...PLAN, ...plan }, at(now)))).toBe(expected);
  });

  it('is the last one of those that a stopped scheduler missed', () => {
    const plan = { ...PLAN, every: 'day' as const };
    expect(shown(lastSending(plan, at('2026-10-20T06:00'), at('2026-10-26T06:59')))).toBe('2026-10-25T07:00');
    expect(shown(lastSending(plan, at('2026-10-20T06:00'), at('2026-10-20T06:00')))).toBe('2026-10-20T06:00');
  });
});

describe('the period of a report', () => {
  it.each<[Partial<ReportPlan>, string, string[]]>([
    [{}, '2026-04-01T06:00', ['2026-01-31T23:00', '2026-02-28T23:00', '2026-03-31T22:00']],
    [{}, '2026-01-15T06:00', ['2025-10-31T23:00', '2025-11-30T23:00', '2025-12-31T23:00']],
    [{ every: 'day' }, '2026-03-30T06:00', ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00']],
    [{ every: 'week' }, '2026-10-28T06:00', ['2026-10-11T22:00', '2026-10-18T22:00', '2026-10-25T23:00']],
    [
      { every: 'week', weekday: 'wednesday', timezone: 'UTC' },
      '2026-10-28T00:00',
      ['2026-10-14T00:00', '2026-10-21T00:00', '2026-10-28T00:00'],
    ],
  ])('%j at %s lies between midnights of its clocks', (plan, now, [before, from, to]) => {
    const { period, previous } = periodsBefore({ ...PLAN, ...plan }, at(now));
    expect([previous.from, previous.to, period.from, period.to].map(shown)).toEqual([before, from, from, to]);
  });
});
