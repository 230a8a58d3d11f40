import type pg from 'pg';
import { Violation } from '../violation.js';
import { DAY_MS, HOUR_MS, type World } from '../world.js';
import { dueInstants, minuteOfDay, wallAt } from './local-time.js';

/** Longer than all processes are down at a time. */
const LATEST_MS = 8 * HOUR_MS;
/** How far a process's clock may be off. */
const SKEW_MS = 2_500;

/** Each report is sent once a day at its local time, about the day before. */
export async function checkReports(control: pg.Client, world: World, until: number): Promise<void> {
  for (const { id, at, timezone } of world.reports) {
    const broken = (what: string): never => {
      throw new Violation(`Report ${id} (${at}, ${timezone}) ${what}`);
    };
    const minute = minuteOfDay(at);
    const cron = `${minute % 60} ${Math.floor(minute / 60)} * * *`;
    const due = dueInstants(cron, timezone, world.start, until);
    const { rows } = await control.query<{ at: Date; to: string }>(
      `SELECT created_at AS at, data->'period'->>'to' AS to FROM outbox_events WHERE subject_id = $1 ORDER BY created_at`,
      [id],
    );
    let after = world.start;
    for (const { at: sentAt, to } of rows) {
      const sent = sentAt.getTime();
      const last = due.filter((time) => time > after && time <= sent + SKEW_MS).at(-1);
      if (last === undefined) return broken(`was sent at ${sentAt.toISOString()}`);
      if (sent - last > DAY_MS) broken(`was sent late at ${sentAt.toISOString()}`);
      const [day, end] = [wallAt(timezone, last), wallAt(timezone, Date.parse(to))].map((wall) =>
        Math.floor(wall / DAY_MS),
      );
      if (day !== end) broken(`sent at ${sentAt.toISOString()} is about the time to ${to}`);
      after = last;
    }
    const forgotten = due.find((time) => time > after && time < until - LATEST_MS);
    if (forgotten !== undefined) broken(`was not sent at ${new Date(forgotten).toISOString()}`);
  }
}
