import type { DataSource } from 'typeorm';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { Report } from '../../src/alerts/reports/report.entity.js';
import { nextSending, planOf } from '../../src/alerts/reports/report-period.js';
import { ChannelConfigs } from '../../src/alerts/alert/channel-configs.js';
import type { SecretBox } from '../../src/infrastructure/secrets/secret-box.js';
import { WebhookSecrets } from '../../src/deliver/webhooks/webhook-secrets.js';
import { nextDue } from '../../src/collect/schedules/schedule-timing.js';
import type { World } from './world.js';

const addressOf = (path: string): string => `http://127.0.0.1:8080${path}`;

/** Stores a world's workspaces, schedules, alerts and webhooks, as their users set them. */
export async function settle({ manager }: DataSource, world: World, secrets: SecretBox): Promise<void> {
  await manager.query('UPDATE simulated.clock SET at = $1', [new Date(world.start)]);
  for (const [number, id] of world.workspaces.entries())
    await manager.query('INSERT INTO workspaces (id, name) VALUES ($1, $2)', [id, `Workspace ${number}`]);
  for (const schedule of world.schedules)
    await manager.query(
      `INSERT INTO schedules
         (workspace_id, id, target, target_type, mode, config, cron_expression, next_run_at, resumed_at)
       VALUES ($1, $2, $3, 'forum', $4, $5, $6, $7, $8)`,
      [
        schedule.workspaceId,
        schedule.id,
        schedule.target,
        schedule.mode,
        schedule.config,
        schedule.cronExpression,
        nextDue(schedule, new Date(world.start)),
        new Date(world.start),
      ],
    );
  const configs = new ChannelConfigs(secrets, new OutboundHttpClient([]));
  for (const { workspaceId, id, keywords, of, forums, delivery, foldDuplicates, recipients } of world.alerts)
    await manager.query(
      `INSERT INTO alerts
         (workspace_id, id, name, keywords, of, forums, delivery, channel, sealed_channel_config, fold_duplicates)
       VALUES ($1, $2, 'Alert', $3, $4, $5, $6, $7, $8, $9)`,
      [
        workspaceId,
        id,
        keywords,
        of,
        forums,
        delivery,
        recipients.length > 0 ? 'email' : 'webhook',
        configs.seal(
          workspaceId,
          id,
          recipients.length > 0 ? { to: [...recipients] } : { webhook_url: addressOf(`/alert/${id}`) },
        ),
        foldDuplicates,
      ],
    );
  for (const report of world.reports) {
    const { workspaceId, id, at, timezone } = report;
    const plan = planOf({ every: 'day', at, timezone });
    await manager.insert(Report, {
      ...{ workspaceId, id, ...plan, name: 'Report', alertIds: [], searchIds: [], channel: 'webhook' },
      sealedChannelConfig: configs.seal(workspaceId, id, { webhook_url: addressOf(`/report/${id}`) }),
      dueAt: new Date(nextSending(plan, world.start)),
    });
  }
  const webhooks = new WebhookSecrets(secrets);
  for (const { workspaceId, id, kind, path } of world.receivers.values())
    if (kind === 'webhook')
      await manager.query(
        `INSERT INTO webhooks (workspace_id, id, sealed_url, events)
         VALUES ($1, $2, $3, '{job.completed,job.failed,alert.triggered}')`,
        [workspaceId, id, webhooks.sealUrl(workspaceId, id, addressOf(path))],
      );
}
