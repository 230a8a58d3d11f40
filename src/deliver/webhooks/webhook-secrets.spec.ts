import { randomBytes, randomUUID } from 'node:crypto';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhook } from './webhook.entity.js';

const DAY_MS = 86_400_000;
const now = new Date('2026-03-01T12:00:00Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);

describe('the secrets of a webhook', () => {
  const secrets = new WebhookSecrets(new SecretBox([randomBytes(32)]));
  const [workspaceId, id] = [randomUUID(), randomUUID()];
  const webhook = Object.assign(new Webhook(), {
    workspaceId,
    id,
    sealedSecret: secrets.seal(workspaceId, id, 'former'),
    sealedPreviousSecret: null,
    previousSecretUntil: null,
  });

  it('include the previous secret for a day after a rotation, then only the new one', () => {
    const rotated = { workspaceId, id, ...secrets.rotate(webhook, 'new', now) };
    expect(secrets.current(rotated, now)).toEqual(['new', 'former']);
    expect(secrets.current(rotated, later(DAY_MS - 1))).toEqual(['new', 'former']);
    expect(secrets.current(rotated, later(DAY_MS))).toEqual(['new']);
  });

  it('are only the new one when there was none before', () => {
    const stored = secrets.rotate({ ...webhook, sealedSecret: null }, 'new', now);
    expect(stored).toMatchObject({ sealedPreviousSecret: null, previousSecretUntil: null });
    expect(secrets.current({ workspaceId, id, ...stored }, now)).toEqual(['new']);
  });

  it('open only for their own webhook and workspace', () => {
    for (const other of [
      { workspaceId: randomUUID(), id },
      { workspaceId, id: randomUUID() },
    ])
      expect(() => secrets.current({ ...webhook, ...other }, now)).toThrow(SecretUnreadableError);
  });

  it('are sealed again with the newest key, also the previous one and none', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const former = new WebhookSecrets(new SecretBox([older]));
    const rotated = former.rotate(
      { ...webhook, sealedSecret: former.seal(workspaceId, id, 'former') },
      'new',
      now,
    );
    const sealedUrl = former.sealUrl(workspaceId, id, 'https://a.example/');
    const resealed = new WebhookSecrets(new SecretBox([newer, older])).reseal({
      workspaceId,
      id,
      sealedUrl,
      ...rotated,
    });
    const latest = new WebhookSecrets(new SecretBox([newer]));
    expect(latest.current({ ...rotated, ...resealed }, now)).toEqual(['new', 'former']);
    expect(latest.urlOf({ ...webhook, ...resealed })).toBe('https://a.example/');
    const none = { workspaceId, id, sealedUrl, sealedSecret: null, sealedPreviousSecret: null };
    expect(new WebhookSecrets(new SecretBox([newer, older])).reseal(none)).toMatchObject({
      ...{ sealedSecret: null, sealedPreviousSecret: null },
    });
  });

  it('are empty as soon as the secret is removed', () => {
    expect(secrets.current({ workspaceId, id, ...secrets.rotate(webhook, null, now) }, now)).toEqual([]);
  });
});
