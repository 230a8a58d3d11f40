import type pg from 'pg';
import { Violation } from '../violation.js';
import { HOUR_MS, type World, type WorldAlert } from '../world.js';

/** Longer than a transaction takes, with the pauses of its process and of those for whose locks it waits. */
const LONGEST_MS = HOUR_MS / 4;

/** What an alert watched for at a time; null when a user may have just changed it. */
export function keywordsAt({ settings }: WorldAlert, at: number): readonly string[] | null {
  if (settings.some(({ from, to }) => at > from - LONGEST_MS && at < to + LONGEST_MS)) return null;
  return settings.findLast(({ to }) => to < at)!.keywords;
}

/** Alerts have the settings, and matches the states, that users gave them last. */
export async function checkSettings(control: pg.Client, { alerts, states }: World): Promise<void> {
  for (const { id, settings } of alerts) {
    const { keywords } = settings.at(-1)!;
    const { rows } = await control.query<{ active: boolean; keywords: string[] }>(
      'SELECT is_active AS active, keywords FROM alerts WHERE id = $1',
      [id],
    );
    const watched = rows[0]!.active ? rows[0]!.keywords : [];
    if (watched.join() !== keywords.join())
      throw new Violation(`Alert ${id} watches for ${watched.join()} instead of ${keywords.join()}`);
  }
  const { rows } = await control.query<{ id: string; state: string }>(
    'SELECT id, state FROM alert_matches WHERE id = ANY ($1)',
    [[...states.keys()]],
  );
  const wrong = rows.find(({ id, state }) => states.get(id) !== state);
  if (wrong !== undefined) throw new Violation(`Match ${wrong.id} is ${wrong.state}, not as it was set`);
}
