import fc from 'fast-check';
import { type DeliveryPlan, LOCAL_TIME, releaseTime, turnOf, WEEKDAYS } from './release-time.js';

const MINUTE = 60_000;
const PLAN: DeliveryPlan = {
  every: 'day',
  at: '08:00',
  weekday: 'monday',
  timezone: 'Europe/Berlin',
  quiet: null,
  max_per_hour: null,
};
const at = (time: string) => Date.parse(time);
const released = (plan: Partial<DeliveryPlan>, now: string, isOverLimit = false): string | null => {
  const instant = releaseTime({ ...PLAN, ...plan }, at(now), isOverLimit);
  return instant === null ? null : new Date(instant).toISOString().slice(0, 16);
};

/** The first minute after `now` whose local time has reached `time` for the first time on that date, by trying each. */
function triedOut({ at: time, weekday, timezone, every }: DeliveryPlan, now: number): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
  const passed = new Set<string>();
  for (let minute = now - 30 * 60 * MINUTE; ; minute += MINUTE) {
    const part = Object.fromEntries(format.formatToParts(minute).map(({ type, value }) => [type, value]));
    const date = `${part.year}-${part.month}-${part.day}`;
    const isDay = every === 'day' || part.weekday!.toLowerCase() === weekday;
    if (!isDay || passed.has(date) || `${part.hour}:${part.minute}` < time) continue;
    passed.add(date);
    if (minute > now && minute - now < 9 * 1_440 * MINUTE) return minute;
  }
}

describe('when a notification is sent', () => {
  it.each([
    ['at once', { every: 'match' }, '2026-05-01T10:00Z', null],
    ['at the next full hour', { every: 'hour' }, '2026-05-01T10:20Z', '2026-05-01T11:00'],
    [
      'in a zone of half hours',
      { every: 'hour', timezone: 'Asia/Kolkata' },
      '2026-05-01T10:20Z',
      '2026-05-01T10:30',
    ],
    ['at the same time after summer began', {}, '2026-03-28T10:00Z', '2026-03-29T06:00'],
    ['at the end of a skipped hour', { at: '02:30' }, '2026-03-28T10:00Z', '2026-03-29T01:00'],
    ['on the weekday', { every: 'week' }, '2026-05-01T10:00Z', '2026-05-04T06:00'],
  ] as [string, Partial<DeliveryPlan>, string, string | null][])('%s', (_, plan, now, expected) => {
    expect(released(plan, now)).toBe(expected);
  });

  it.each([
    ['over midnight', '22:00', '07:00', '2026-05-02T07:00'],
    ['within a day', '13:00', '14:00', '2026-05-01T14:00'],
  ])('is the end of quiet hours %s, from their first millisecond to their last', (_, from, to, end) => {
    const plan: Partial<DeliveryPlan> = { every: 'match', timezone: 'UTC', quiet: { from, to } };
    const start = at(`2026-05-01T${from}Z`);
    const releases = [start - 1, start, start + 30_000, at(`${end}Z`) - 1, at(`${end}Z`)].map((now) =>
      released(plan, new Date(now).toISOString()),
    );
    expect(releases).toEqual([null, end, end, end, null]);
  });

  it('is the next hour beyond the limit of an hour', () => {
    expect(released({ every: 'match' }, '2026-05-01T10:20Z', true)).toBe('2026-05-01T11:00');
  });

  it('agrees with trying out every minute, also where clocks change', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'America/Santiago',
    ];
    const day = fc.integer({ min: 0, max: 364 });
    const minute = fc.integer({ min: 0, max: 1_439 });
    const changes = ['2026-03-28', '2026-10-24', '2026-03-07', '2026-10-31', '2026-04-04', '2026-09-05'];
    const start = fc.oneof(
      day.map((number) => at('2026-01-01T00:00Z') + number * 1_440 * MINUTE),
      fc.constantFrom(...changes).map((date) => at(`${date}T00:00Z`)),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        start,
        minute,
        minute,
        fc.constantFrom(...WEEKDAYS),
        (zone, from, n, time, weekday) => {
          const local = `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`;
          expect(local).toMatch(LOCAL_TIME);
          const plan: DeliveryPlan = { ...PLAN, timezone: zone, at: local, weekday };
          const now = from + n * MINUTE;
          expect(releaseTime(plan, now, false)).toBe(triedOut(plan, now));
        },
      ),
      { seed: 45, numRuns: 150 },
    );
  });
});

describe('the turn of a notification that joins no digest', () => {
  it.each([
    ['at once', {}, '09:30', ['09:30', '09:30', '09:30', '09:30']],
    [
      'as often an hour as the plan allows',
      { max_per_hour: 2 },
      '09:30',
      ['09:30', '09:30', '10:00', '10:00', '11:00'],
    ],
    ['when quiet hours end', { quiet: { from: '09:00', to: '11:30' } }, '09:30', ['11:30', '11:30']],
    [
      'after quiet hours, as often as allowed',
      { max_per_hour: 1, quiet: { from: '10:00', to: '12:00' } },
      '09:30',
      ['09:30', '12:00', '13:00'],
    ],
    [
      'with the digest of its time',
      { every: 'day', max_per_hour: 2 } as const,
      '07:59',
      ['08:00', '08:00', '09:00'],
    ],
  ])('is %s', (_, changes, now, times) => {
    const plan: DeliveryPlan = { ...PLAN, every: 'match', timezone: 'UTC', ...changes };
    const instant = new Date(`2026-05-01T${now}Z`);
    let sent: { sentHour: Date | null; sentInHour: number } = { sentHour: null, sentInHour: 7 };
    const given = times.map(() => {
      const { release, ...next } = turnOf(plan, sent, instant);
      sent = next;
      return release ?? instant;
    });
    expect(given.map((time) => time.toISOString().slice(11, 16))).toEqual(times);
  });

  it('counts from the beginning in a later hour', () => {
    const plan: DeliveryPlan = { ...PLAN, every: 'match', max_per_hour: 1 };
    const sent = { sentHour: new Date('2026-05-01T09:00Z'), sentInHour: 1 };
    const { release, ...next } = turnOf(plan, sent, new Date('2026-05-01T10:10Z'));
    expect([release, next]).toEqual([null, { sentHour: new Date('2026-05-01T10:00Z'), sentInHour: 1 }]);
  });
});
