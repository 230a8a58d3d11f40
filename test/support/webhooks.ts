import { DataSource } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { WebhookSecrets } from '../../src/deliver/webhooks/webhook-secrets.js';
import type { TestApplication } from './application.js';

/** Inserts many active webhooks for every event type in one statement, without the API's checks. */
export async function addWebhooks(
  service: TestApplication,
  workspaceId: string,
  count: number,
  url: string,
): Promise<void> {
  const secrets = service.get(WebhookSecrets);
  const ids = Array.from({ length: count }, newId);
  await service.app.get(DataSource).query(
    `INSERT INTO webhooks (workspace_id, id, sealed_url, events)
     SELECT $1, id, url, '{job.completed,job.failed,alert.triggered}' FROM unnest($2::uuid[], $3::text[]) AS hook (id, url)`,
    [workspaceId, ids, ids.map((id) => secrets.sealUrl(workspaceId, id, url))],
  );
}
