import { jitterMs, nextDue, type Timed, upcoming } from './schedule-timing.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const MATCH = new Date('2026-03-01T12:00:00Z');

const hourly = (id: string, jitter_seconds: number): Timed => ({
  id,
  cronExpression: '0 * * * *',
  config: { jitter_seconds },
});
const after = (ms: number): Date => new Date(MATCH.getTime() + ms);

describe('the next due time of a schedule with jitter', () => {
  // Several schedules, each with its own delay.
  const schedules = Array.from({ length: 20 }, (_, number) => hourly(`schedule-${number}`, 1_800));
  const delayOf = (schedule: Timed): number => nextDue(schedule, after(-1)).getTime() - MATCH.getTime();

  it('is a match plus up to the jitter, in whole seconds', () => {
    const delays = schedules.map(delayOf);
    for (const delay of delays) {
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(1_800 * SECOND_MS);
      expect(delay % SECOND_MS).toBe(0);
    }
    expect(new Set(delays).size).toBeGreaterThan(15);
  });

  it('uses every whole second from 0 to the jitter', () => {
    const delays = schedules.map(({ id }) => jitterMs(id, 1));
    expect([...new Set(delays)].sort()).toEqual([0, 1_000]);
  });

  it('never changes, so that a new version keeps the due times of existing schedules', () => {
    expect(jitterMs('01890a5d-ac96-774b-bcce-b302099a8057', 3_600)).toBe(3_185_000);
  });

  it("still belongs to the previous match until that match's delay has passed", () => {
    for (const schedule of schedules) {
      const delay = delayOf(schedule);
      for (const moment of [-1, 0, delay / 2, delay - 1].filter((ms) => ms < delay))
        expect([schedule.id, nextDue(schedule, after(moment))]).toEqual([schedule.id, after(delay)]);
      for (const moment of [delay, delay + 1])
        expect([schedule.id, nextDue(schedule, after(moment))]).toEqual([
          schedule.id,
          after(delay + HOUR_MS),
        ]);
    }
  });

  it('occurs once for every match, always with the same delay', () => {
    for (const schedule of schedules) {
      const delay = delayOf(schedule);
      expect(upcoming(schedule, after(-1), 3)).toEqual([0, 1, 2].map((n) => after(delay + n * HOUR_MS)));
    }
  });
});
