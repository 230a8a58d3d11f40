import { setTimeout as sleep } from 'node:timers/promises';
import { withOperatorTools } from '../../../src/cli/operator-context.js';
import { parseEnvironment } from '../../../src/config/environment.js';
import type { EventReceiver } from './event-receiver.js';
import { readState } from './load-state.js';
import type { WorkspaceResult } from './load-violations.js';
import type { RoundRobinClient } from './round-robin-client.js';
import type { Tenant } from './soak-attacks.js';

/** Forums of the synthetic platform from which jobs scrape. */
export const LOAD_FORUMS = ['load0', 'load1', 'load2', 'load3'];
/** Posts and comments per post of each forum, for the synthetic platform. */
export const FORUM_SIZE = { posts: 30, commentsPerPost: 4 };
const JOB = { limit: 20, download_media: false, scrape_comments: true };
/** A word that some of the synthetic posts contain. */
const KEYWORDS = ['the'];
const EVENTS = ['job.completed', 'job.failed', 'alert.triggered'];
const REFERENCE_TIMEOUT_MS = 60_000;

/** Bodies of POST /jobs: one job for each forum. */
export const LOAD_JOBS: readonly object[] = LOAD_FORUMS.map((target) => ({ ...JOB, target }));

/** A workspace with a webhook, an alert, a saved search and, unless it is the reference, a schedule for each forum and minute. */
export interface LoadTenant extends Tenant {
  name: string;
  /** A saved search that finds every post. */
  searchId: string;
}

/** Creates workspaces whose events go to `receiver`. The first is the reference; the schedules of the others are paused. */
export async function createTenants(
  databaseUrl: string,
  count: number,
  client: Pick<RoundRobinClient, 'send'>,
  receiver: EventReceiver,
): Promise<{
  reference: LoadTenant;
  tenants: LoadTenant[];
  pauseSchedules: (paused: boolean) => Promise<void>;
}> {
  const created = await withOperatorTools(
    parseEnvironment({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }),
    async ({ workspaces }) => {
      const all: LoadTenant[] = [];
      for (let number = 0; number <= count; number += 1) {
        const name = number === 0 ? 'reference' : `workspace ${number}`;
        all.push({ name, searchId: '', ...(await workspaces.create(name)) });
      }
      return all;
    },
  );
  const [reference, ...tenants] = created as [LoadTenant, ...LoadTenant[]];
  for (const tenant of created) {
    const search = await request<{ id: string }>(client, tenant, 'POST', '/searches', { name: 'load' });
    tenant.searchId = search.id;
    const { webhook, alert } = destinationsOf(tenant);
    await request(client, tenant, 'POST', '/webhooks', { url: receiver.urlOf(webhook), events: EVENTS });
    await request(client, tenant, 'POST', '/alerts', {
      name: 'load',
      keywords: KEYWORDS,
      channel: 'webhook',
      channel_config: { webhook_url: receiver.urlOf(alert) },
    });
  }
  const schedules: { tenant: LoadTenant; id: string }[] = [];
  for (const tenant of tenants)
    for (const target of LOAD_FORUMS) {
      const { id } = await request<{ id: string }>(client, tenant, 'POST', '/schedules', {
        target,
        mode: 'full',
        cron_expression: '* * * * *',
        config: JOB,
      });
      schedules.push({ tenant, id });
    }
  const pauseSchedules = async (paused: boolean): Promise<void> => {
    for (const { tenant, id } of schedules)
      await request(client, tenant, 'PATCH', `/schedules/${id}`, { is_active: !paused });
  };
  await pauseSchedules(true);
  return { reference, tenants, pauseSchedules };
}

/** Executes every job once in the reference workspace; fails when they have not ended within a minute. */
export async function executeReference(
  client: Pick<RoundRobinClient, 'send'>,
  reference: LoadTenant,
): Promise<void> {
  for (const job of LOAD_JOBS) {
    let { id, status } = await request<{ id: string; status: string }>(
      client,
      reference,
      'POST',
      '/jobs',
      job,
    );
    for (const deadline = Date.now() + REFERENCE_TIMEOUT_MS; status !== 'completed'; await sleep(100)) {
      if (Date.now() > deadline || status === 'failed') throw new Error(`The reference job is ${status}`);
      ({ id, status } = await request<{ id: string; status: string }>(
        client,
        reference,
        'GET',
        `/jobs/${id}`,
      ));
    }
  }
}

/** Reads the state of the workspace and the events that its destinations received. */
export async function resultOfTenant(
  databaseUrl: string,
  tenant: LoadTenant,
  receiver: EventReceiver,
): Promise<WorkspaceResult> {
  const { webhook, alert } = destinationsOf(tenant);
  return {
    name: tenant.name,
    state: await readState(databaseUrl, tenant.workspaceId),
    toWebhook: receiver.eventsOf(webhook),
    toAlert: receiver.eventsOf(alert),
  };
}

const destinationsOf = ({ workspaceId }: LoadTenant): { webhook: string; alert: string } => ({
  webhook: `webhook-${workspaceId}`,
  alert: `alert-${workspaceId}`,
});

async function request<T>(
  client: Pick<RoundRobinClient, 'send'>,
  { workspaceId, apiKey }: Tenant,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<T> {
  const answer = await client.send({
    method,
    path: `/api/v1/workspaces/${workspaceId}${path}`,
    headers: { 'X-API-Key': apiKey },
    body,
  });
  if (answer.status >= 300 || answer.status === 0)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}
