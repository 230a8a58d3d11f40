import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { createApplication } from '../../src/application.js';
import { ConfigurationError, parseEnvironment } from '../../src/config/environment.js';
import { keyIdOf, SecretBox } from '../../src/infrastructure/secrets/secret-box.js';
import { AlertsRepository } from '../../src/alerts/alert/alerts.repository.js';
import type { SealedConfig } from '../../src/alerts/alert/channel-configs.js';
import { Reencryption } from '../../src/privacy/reencryption/reencryption.js';
import { WebhookSecrets } from '../../src/deliver/webhooks/webhook-secrets.js';
import { WebhooksRepository } from '../../src/deliver/webhooks/webhooks.repository.js';
import { WebhooksService } from '../../src/deliver/webhooks/webhooks.service.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { verified } from '../support/webhook-reading.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { until } from '../support/until.js';

const newKey = () => randomBytes(32).toString('hex');

describe('the encryption key of a database', () => {
  const [first, second] = [newKey(), newKey()];
  let service: TestApplication;

  beforeAll(async () => {
    service = await startTestApplication({ ENCRYPTION_KEY: first });
  });

  /** Starts and stops another application on the same database, as another process would. */
  async function startWith(keys: string): Promise<void> {
    const { DATABASE_URL, REDIS_URL, DATA_DIR } = service.environment;
    const app = await createApplication(
      parseEnvironment({
        DATABASE_URL,
        REDIS_URL,
        DATA_DIR,
        ROLES: 'api',
        PORT: '0',
        LOG_LEVEL: 'silent',
        ENCRYPTION_KEY: keys,
      }),
    );
    await app.close();
  }

  it('lets a process with the same key start', () => startWith(first));

  it('refuses a process with another key, and says what to do', async () => {
    const failure = await startWith(second).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigurationError);
    const { message } = failure as Error;
    expect(message).toContain('ENCRYPTION_KEY lacks the key');
    expect(message).toContain('restore DATA_DIR/encryption.key');
    expect(message).not.toContain(first);
    expect(message).not.toContain(second);
  });

  it('is replaced by a ring that starts with the new key; a process then needs both', async () => {
    await startWith(`${first},${second}`);
    await startWith(first);
    await startWith(`${second},${first}`);
    await expect(startWith(first)).rejects.toThrow(ConfigurationError);
    await expect(startWith(second)).rejects.toThrow(ConfigurationError);
    await startWith(`${first},${second}`);
  });

  it('does not replace secrets that were changed since they were read', async () => {
    const { workspaceId } = await service.createWorkspace();
    const dataSource = service.app.get(DataSource);
    const id = randomUUID();
    await dataSource.query(
      `INSERT INTO webhooks (workspace_id, id, sealed_url, events, sealed_secret, sealed_previous_secret)
       VALUES ($1, $2, 'v1.changed.w', '{}', 'v1.changed.x', 'v1.changed.y')`,
      [workspaceId, id],
    );
    await dataSource.query(
      `INSERT INTO alerts (workspace_id, id, name, keywords, forums, channel, sealed_channel_config)
       VALUES ($1, $2, 'a', '{a}', '{}', 'email', 'v1.changed.z')`,
      [workspaceId, id],
    );
    const webhooks = service.get(WebhooksRepository);
    const alerts = service.get(AlertsRepository);
    const secrets = {
      sealedUrl: 'v1.changed.w',
      sealedSecret: 'v1.changed.x',
      sealedPreviousSecret: 'v1.changed.y',
    };
    const next = {
      workspaceId,
      id,
      sealedUrl: 'v1.next.u',
      sealedSecret: 'v1.next.x',
      sealedPreviousSecret: 'v1.next.y',
    };
    for (const former of [
      { sealedUrl: 'v1.read.u' },
      { sealedSecret: 'v1.read.x' },
      { sealedPreviousSecret: null },
    ])
      await webhooks.replaceSealed(workspaceId, { workspaceId, id, ...secrets, ...former }, next);
    const config = (sealedChannelConfig: string) => ({ workspaceId, id, sealedChannelConfig });
    await alerts.replaceSealed(workspaceId, config('v1.read.z'), config('v1.next.z'));
    expect(await webhooks.find(workspaceId, id)).toMatchObject(secrets);
    expect(await alerts.find(workspaceId, id)).toMatchObject({ sealedChannelConfig: 'v1.changed.z' });
  });
});

describe('a new encryption key', () => {
  it('encrypts everything again until the old key is no longer needed', async () => {
    const [former, next] = [newKey(), newKey()];
    const before = await startTestApplication({ ENCRYPTION_KEY: former });
    const { DATABASE_URL, REDIS_URL, DATA_DIR } = before.environment;
    const start = (ROLES: string, ENCRYPTION_KEY: string) =>
      createApplication(
        parseEnvironment({ DATABASE_URL, REDIS_URL, DATA_DIR, ROLES, ENCRYPTION_KEY, LOG_LEVEL: 'silent' }),
      );
    const dataSource = before.app.get(DataSource);
    const workspace = await before.createWorkspace();
    const webhook = await call<{ id: string }>(before, workspace, 'POST', '/webhooks', {
      url: 'https://hooks.example.com/x',
      secret: 'first secret of more than 24 bytes',
    });
    await call(before, workspace, 'PATCH', `/webhooks/${webhook.id}`, {
      secret: 'second secret of more than 24 bytes',
    });
    await call(before, workspace, 'POST', '/alerts', {
      name: 'chat',
      keywords: ['rust'],
      channel: 'chat_a',
      channel_config: { webhook_url: 'https://chat.example.com/hook' },
    });
    await call(before, workspace, 'POST', '/recurring-exports', {
      ...{ name: 'copied', of: 'posts', format: 'csv' },
      destination: { url: 's3://k@store.example/files', secret: 'a secret access key' },
    });
    const keyIds = async () =>
      (
        await dataSource.query<{ sealed: string }[]>(
          `SELECT sealed_secret AS sealed FROM webhooks UNION ALL SELECT sealed_url FROM webhooks UNION ALL SELECT sealed_previous_secret FROM webhooks
           UNION ALL SELECT sealed_channel_config FROM alerts UNION ALL SELECT sealed_secret FROM recurring_exports`,
        )
      ).map(({ sealed }) => sealed.split('.')[1]);
    const nextId = keyIdOf(Buffer.from(next, 'hex'));
    expect(await keyIds()).not.toContain(nextId);
    const worker = await start('worker', `${next},${former}`);
    try {
      await until(keyIds, (ids) => ids.every((id) => id === nextId));
      const reencryption = worker.get(Reencryption, { strict: false });
      await reencryption.pass();
      // A process that has not been restarted yet may still encrypt with the former key.
      await expect(start('api', next)).rejects.toThrow(ConfigurationError);
      await dataSource.query(
        `UPDATE encryption_keys SET first_used_at = first_used_at - interval '61 minutes'`,
      );
      await dataSource.query(
        `INSERT INTO idempotency_keys (workspace_id, api_key_id, key, fingerprint, lease_until, created_at, sealed_body)
         VALUES ($1, gen_random_uuid(), 'kept', '', now(), now(), 'v1.00000000.x')`,
        [workspace.workspaceId],
      );
      await reencryption.pass();
      await expect(start('api', next)).rejects.toThrow(ConfigurationError);
      await dataSource.query('DELETE FROM idempotency_keys');
      await reencryption.pass();
      const after = await start('api', next);
      const stored = await after
        .get(WebhooksService, { strict: false })
        .get(workspace.workspaceId, webhook.id.slice(3));
      const secrets = after.get(WebhookSecrets, { strict: false });
      expect(secrets.current(stored, new Date())).toEqual([
        'second secret of more than 24 bytes',
        'first secret of more than 24 bytes',
      ]);
      await after.close();
    } finally {
      await worker.close();
      await before.close();
    }
  });

  it('encrypts the secrets of every workspace, whatever the order of their ids', async () => {
    const service = await startTestApplication({ ENCRYPTION_KEY: newKey() });
    const dataSource = service.app.get(DataSource);
    const workspaceIds = [await service.createWorkspace(), await service.createWorkspace()]
      .map(({ workspaceId }) => workspaceId)
      .sort();
    // The first workspace has the greater id.
    const ids = ['b', 'a'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
    await dataSource.query(
      `INSERT INTO webhooks (workspace_id, id, sealed_url, events, sealed_secret)
         SELECT unnest($1::uuid[]), unnest($2::uuid[]), 'v1.other.x', '{}', 'v1.other.x'`,
      [workspaceIds, ids],
    );
    await dataSource.query(
      `INSERT INTO alerts (workspace_id, id, name, keywords, forums, channel, sealed_channel_config)
         SELECT unnest($1::uuid[]), unnest($2::uuid[]), 'a', '{a}', '{}', 'email', 'v1.other.x'`,
      [workspaceIds, ids],
    );
    for (const repository of [WebhooksRepository, AlertsRepository]) {
      const rows: { workspaceId: string; id: string }[] = [];
      for (let page = 0; page < 3; page += 1)
        rows.push(
          ...(await service.app
            .get<Pick<AlertsRepository, 'findSealedOtherwise'>>(repository, { strict: false })
            .findSealedOtherwise('v1.own.', (rows.at(-1) as SealedConfig | undefined) ?? null, 1)),
        );
      expect(rows.map(({ workspaceId, id }) => [workspaceId, id])).toEqual(
        workspaceIds.map((workspaceId, at) => [workspaceId, ids[at]]),
      );
    }
  });

  it('keeps the former key on record while a secret cannot be read', async () => {
    const [former, next] = [newKey(), newKey()];
    const service = await startTestApplication({ ENCRYPTION_KEY: `${next},${former}`, ROLES: 'api,worker' });
    const dataSource = service.app.get(DataSource);
    const { workspaceId } = await service.createWorkspace();
    await dataSource.query(
      `INSERT INTO webhooks (workspace_id, id, sealed_url, events, sealed_secret)
         VALUES ($1, gen_random_uuid(), 'v1.00000000.x.x', '{}', 'v1.00000000.x.x')`,
      [workspaceId],
    );
    await dataSource.query(`UPDATE encryption_keys SET first_used_at = now() - interval '2 hours'`);
    await dataSource.query(
      `INSERT INTO encryption_keys (key_id, first_used_at) VALUES ($1, now() - interval '3 hours')`,
      [keyIdOf(Buffer.from(former, 'hex'))],
    );
    const keysAfterPass = async (): Promise<number> => {
      await service.get(Reencryption).pass();
      return (await dataSource.query<unknown[]>('SELECT key_id FROM encryption_keys')).length;
    };
    expect(await keysAfterPass()).toBe(2);
    await dataSource.query('DELETE FROM webhooks');
    expect(await keysAfterPass()).toBe(1);
  });

  it('is not dropped by a worker that has not been restarted yet', async () => {
    const [former, next] = [newKey(), newKey()];
    const before = await startTestApplication({
      ENCRYPTION_KEY: `${former},${next}`,
      ROLES: 'api,worker',
    });
    const dataSource = before.app.get(DataSource);
    await dataSource.query(`UPDATE encryption_keys SET first_used_at = now() - interval '3 hours'`);
    await dataSource.query(
      `INSERT INTO encryption_keys (key_id, first_used_at) VALUES ($1, now() - interval '2 hours')`,
      [keyIdOf(Buffer.from(next, 'hex'))],
    );
    await before.get(Reencryption).pass();
    expect(await dataSource.query('SELECT key_id FROM encryption_keys')).toHaveLength(2);
  });
});

describe('a webhook whose secret cannot be decrypted', () => {
  it('signs only with the new secret after one was set', async () => {
    const service = await startTestApplication();
    const { workspaceId } = await service.createWorkspace();
    const webhooks = service.get(WebhooksService);
    const secrets = service.get(WebhookSecrets);
    const created = await webhooks.create(workspaceId, {
      url: 'https://hooks.example.com/x',
      secret: 'former of more than 24 bytes',
    });
    const webhook = { id: created.id.slice('wh_'.length) };
    const current = async () => secrets.current(await webhooks.get(workspaceId, webhook.id), new Date());
    const lost = new SecretBox([randomBytes(32)]).seal('former', {
      workspaceId,
      purpose: `webhook:${webhook.id}:secret`,
    });
    await service.app
      .get(DataSource)
      .query('UPDATE webhooks SET sealed_secret = $2 WHERE id = $1', [webhook.id, lost]);
    await webhooks.update(workspaceId, webhook.id, { secret: 'next of more than 24 bytes' });
    expect(await current()).toEqual(['next of more than 24 bytes']);
    await webhooks.update(workspaceId, webhook.id, { secret: 'later of more than 24 bytes' });
    expect(await current()).toEqual(['later of more than 24 bytes', 'next of more than 24 bytes']);
  });
});

describe('after the loss of the encryption key', () => {
  it('a process that names it starts, and PATCH replaces URL and secret of a webhook', async () => {
    const receiver = await HttpReceiver.start();
    const first = await startTestApplication({
      ENCRYPTION_KEY: newKey(),
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    const workspace = await first.createWorkspace();
    const { id } = await call<{ id: string }>(first, workspace, 'POST', '/webhooks', {
      url: receiver.url,
      secret: 'former of more than 24 bytes',
    });
    const { DATABASE_URL, REDIS_URL, DATA_DIR } = first.environment;
    const variables = {
      DATABASE_URL,
      REDIS_URL,
      DATA_DIR,
      ROLES: 'api,worker',
      LOG_LEVEL: 'silent',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      ENCRYPTION_KEY: newKey(),
    };
    const refusal = await createApplication(parseEnvironment(variables)).catch(
      (error: Error) => error.message,
    );
    const [, lost] = /set ENCRYPTION_KEYS_LOST=([0-9a-f]{8})/.exec(refusal as string)!;
    const second = await createApplication(parseEnvironment({ ...variables, ENCRYPTION_KEYS_LOST: lost }));
    try {
      await second.listen(0, '127.0.0.1');
      const { port } = second.getHttpServer().address() as AddressInfo;
      const service = { url: `http://127.0.0.1:${port}` };
      await call(service, workspace, 'PATCH', `/webhooks/${id}`, {
        url: receiver.url,
        secret: 'next of more than 24 bytes',
      });
      await call(service, workspace, 'POST', `/webhooks/${id}/test`);
      const [request] = await receiver.received(1);
      expect(verified(request!, 'next of more than 24 bytes').type).toBe('webhook.test');
    } finally {
      await second.close();
      await first.close();
      await receiver.close();
    }
  });
});
