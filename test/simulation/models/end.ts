import type pg from 'pg';
import { Violation } from '../violation.js';
import type { World } from '../world.js';
import { checkContents } from './contents.js';
import { checkErasures } from './erasures.js';
import { checkNotifications } from './notifications.js';
import { checkReports } from './reports.js';
import { checkSchedules } from './schedules.js';
import { checkSettings } from './settings.js';

/** Checks what is stored at `until`, after everything has worked since `healedAt`. */
export async function checkEnd(
  control: pg.Client,
  world: World,
  healedAt: number,
  until: number,
): Promise<void> {
  await checkSchedules(control, world, until);
  await checkReports(control, world, until);
  await checkContents(control, world, healedAt);
  await checkNotifications(control, world, until);
  await checkSettings(control, world);
  await checkErasures(control, world, until);
  const { rows } = await control.query<{ what: string }>(
    `SELECT 'Event ' || id || ' was not relayed' AS what FROM outbox_events
       WHERE relayed_at IS NULL AND created_at < to_timestamp($1) - interval '1 hour'
     UNION ALL SELECT 'Event ' || event.id || ' has no delivery to webhook ' || hook.id
       FROM outbox_events AS event JOIN webhooks AS hook ON hook.workspace_id = event.workspace_id
       WHERE event.type = ANY (hook.events) AND event.relayed_at IS NOT NULL AND NOT EXISTS (SELECT FROM deliveries
         WHERE event_id = event.id AND destination_kind = 'webhook' AND destination_id = hook.id)
     UNION ALL SELECT 'Job ' || id || ' is ' || status FROM jobs
       WHERE status IN ('pending', 'running') AND created_at < to_timestamp($1) - interval '8 hours'
     UNION ALL SELECT kind || ' ' || id || ' was disabled: ' || reason FROM (
       SELECT 'Webhook' AS kind, id, disabled_reason AS reason FROM webhooks
       UNION ALL SELECT 'Alert', id, channel_disabled_reason FROM alerts
       UNION ALL SELECT 'Report', id, channel_disabled_reason FROM reports) AS destination WHERE reason IS NOT NULL
     LIMIT 1`,
    [until / 1_000],
  );
  if (rows[0] !== undefined) throw new Violation(rows[0].what);
}
