import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { createApplication } from '../../src/application.js';
import { ConfigurationError, parseEnvironment } from '../../src/config/environment.js';
import { SecretBox } from '../../src/infrastructure/secrets/secret-box.js';
import { WebhookSecrets } from '../../src/modules/webhooks/webhook-secrets.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { verified } from '../support/webhook-reading.js';
import { startTestApplication, type TestApplication } from '../support/application.js';

const newKey = () => randomBytes(32).toString('hex');

describe('the encryption key of a database', () => {
  const [first, second] = [newKey(), newKey()];
  let service: TestApplication;

  beforeAll(async () => {
    service = await startTestApplication({ ENCRYPTION_KEY: first });
  });
  afterAll(() => service.close());

  /** Starts and stops another process's application on the same database. */
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

  it('is replaced by a ring with the new key first; then a process needs both', async () => {
    await startWith(`${first},${second}`);
    await startWith(first);
    await startWith(`${second},${first}`);
    await expect(startWith(first)).rejects.toThrow(ConfigurationError);
    await expect(startWith(second)).rejects.toThrow(ConfigurationError);
    await startWith(`${first},${second}`);
  });
});

describe('a webhook whose secret cannot be decrypted', () => {
  it('signs with a new secret alone', async () => {
    const service = await startTestApplication();
    try {
      const { workspaceId } = await service.createWorkspace();
      const webhooks = service.app.get(WebhooksService, { strict: false });
      const secrets = service.app.get(WebhookSecrets, { strict: false });
      const webhook = await webhooks.create(workspaceId, {
        url: 'https://hooks.example.com/x',
        secret: 'former',
      });
      const lost = new SecretBox([randomBytes(32)]).seal('former', {
        workspaceId,
        purpose: `webhook:${webhook.id}:secret`,
      });
      await service.app
        .get(DataSource)
        .query('UPDATE webhooks SET sealed_secret = $2 WHERE id = $1', [webhook.id, lost]);
      const updated = await webhooks.update(workspaceId, webhook.id, { secret: 'next' });
      expect(secrets.current(updated, new Date())).toEqual(['next']);
      const rotated = await webhooks.update(workspaceId, webhook.id, { secret: 'later' });
      expect(secrets.current(rotated, new Date())).toEqual(['later', 'next']);
    } finally {
      await service.close();
    }
  });
});

describe('after the loss of the encryption key', () => {
  it('a process that names it starts, and PATCH replaces the secret of a webhook', async () => {
    const receiver = await HttpReceiver.start();
    const first = await startTestApplication({
      ENCRYPTION_KEY: newKey(),
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    const workspace = await first.createWorkspace();
    const { id } = await call<{ id: string }>(first, workspace, 'POST', '/webhooks', {
      url: receiver.url,
      secret: 'former',
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
      await call(service, workspace, 'PATCH', `/webhooks/${id}`, { secret: 'next' });
      await call(service, workspace, 'POST', `/webhooks/${id}/test`);
      const [request] = await receiver.received(1);
      expect(verified(request!, 'next').type).toBe('webhook.test');
    } finally {
      await second.close();
      await first.close();
      await receiver.close();
    }
  }, 30_000);
});
