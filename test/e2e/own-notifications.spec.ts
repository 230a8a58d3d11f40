import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { startCertifiedProvider } from '../support/identity-providers.js';
import { CLIENT, PersonBrowser } from '../support/person-browser.js';
import { type ReceivedMail, SmtpReceiver } from '../support/receivers.js';
import { until } from '../support/until.js';

const JOB = '00000000-0000-4000-8000-000000000009';
const ADMIN_TOKEN = 'token-of-the-operator-of-32-characters';
const DAY_MS = 86_400_000;
const PERSON = 'Notification settings belong to a person. Sign in with an account instead of an API key.';
const OWN = '/workspaces/current/me/notifications';

interface Settings {
  email: string;
  pending_email: string | null;
  alert_ids: string[];
}

const provider = await startCertifiedProvider(CLIENT);
const mails = await SmtpReceiver.start();
const service = await startTestApplication({
  ROLES: 'api,worker,scheduler',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  PUBLIC_URL: CLIENT.publicUrl,
  ADMIN_TOKEN,
  SMTP_URL: mails.url,
  MAIL_FROM: 'service@example.org',
  WEBHOOK_RETRY_SCHEDULE: Array(20).fill('200ms').join(','),
});

describe('notifications of a person', () => {
  let workspace: TestWorkspace;
  let alertId: string;
  let nextPost = 1;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
    alertId = await createAlert();
  });

  const named = (name: string): string => `${name}-${workspace.workspaceId}@example.org`;
  const createAlert = async (): Promise<string> => {
    const channel_config = { to: named('team') };
    const alert = { name: 'Rust', keywords: ['rust'], channel: 'email', channel_config };
    return (await call<{ id: string }>(service, workspace, 'POST', '/alerts', alert)).id;
  };
  /** A person who has become a member and signed in. */
  const person = async (name: string, role = 'reader') => {
    const email = named(name);
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/members', { email, role });
    provider.account = { email, isVerified: true };
    const browser = new PersonBrowser(service);
    await browser.open('/api/v1/session/oidc/begin');
    const change = (body: object) => browser.api<Settings>(OWN, 'PATCH', body);
    const settings = async () => (await browser.api<Settings>(OWN)).body;
    return { id, email, browser, change, settings };
  };
  const subscriber = async (name: string) => {
    const one = await person(name);
    expect((await one.change({ add_alert_ids: [alertId] })).status).toBe(200);
    return one;
  };
  /** Stores a post that the alert matches. */
  const match = (): Promise<void> =>
    service.get(TransactionRunner).run(async (tx) => {
      const posts = [{ ...aPost(nextPost++), title: 'Rust', selftext: '', keywords: [] }];
      await service.get(PostsRepository).upsert(workspace.workspaceId, posts, tx);
      await service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOB, { posts }, null, tx);
    });
  const mailsTo = (address: string): ReceivedMail[] => mails.all.filter(({ to }) => to.includes(address));
  const alertsTo = (address: string): ReceivedMail[] =>
    mailsTo(address).filter(({ raw }) => raw.includes('Subject: Alert:'));
  /** The alerts that an address has got, once there are as many. */
  const received = async (address: string, count = 1): Promise<ReceivedMail[]> => {
    await until(() => Promise.resolve(alertsTo(address).length >= count));
    return alertsTo(address);
  };
  /** Stores a match; resolves when its notification has reached the channel and every other destination. */
  const settled = async (): Promise<void> => {
    const before = alertsTo(named('team')).length;
    await match();
    await received(named('team'), before + 1);
    await until(async () => (await deliveriesIn('pending')) === 0);
  };
  const deliveriesIn = async (status: string): Promise<number> => {
    const [{ count }] = await service.app.get(DataSource).query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM deliveries WHERE workspace_id = $1 AND status = $2
           AND destination_kind = 'member'`,
      [workspace.workspaceId, status],
    );
    return count;
  };
  /** The text of a mail without the encoding of its transfer. */
  const textOf = ({ raw }: ReceivedMail): string => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const tokenOf = (mail: ReceivedMail, page: string): string =>
    new RegExp(`${page}#([\\w.-]+)`).exec(textOf(mail))![1]!;
  const follow = async (what: string, token: string, init: RequestInit = { method: 'POST' }) =>
    fetch(`${service.url}/api/v1/notification-links/${what}?token=${token}`, {
      redirect: 'manual',
      ...init,
    });
  const confirmationFor = async (address: string): Promise<string> => {
    await until(() => Promise.resolve(mailsTo(address).length > 0));
    return tokenOf(mailsTo(address).at(-1)!, 'confirm-address');
  };

  it('go to the address of the account, beside the recipients of the channel', async () => {
    const ann = await subscriber('ann');
    expect(await ann.settings()).toEqual({ email: ann.email, pending_email: null, alert_ids: [alertId] });
    await settled();
    const [mail] = await received(ann.email);
    expect(mail!.to).toEqual([ann.email]);
    expect(alertsTo(named('team'))).toHaveLength(1);
  });

  it('go to another address only after it was confirmed, by a link that works once', async () => {
    const ann = await subscriber('ann');
    const home = named('home');
    expect((await ann.change({ email: home })).body).toMatchObject({ email: ann.email, pending_email: home });
    await settled();
    expect([alertsTo(ann.email).length, mailsTo(home).length]).toEqual([1, 1]);
    const token = await confirmationFor(home);
    const answers = await Promise.all([follow('confirm', token), follow('confirm', token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await ann.settings()).toMatchObject({ email: home, pending_email: null });
    await settled();
    expect([alertsTo(ann.email).length, alertsTo(home).length]).toEqual([1, 1]);
    expect((await ann.change({ email: null })).body.email).toBe(ann.email);
  });

  it('stay at the former address when the link has expired', async () => {
    const ann = await person('ann');
    await ann.change({ email: named('home') });
    const token = await confirmationFor(named('home'));
    const clock = service.get(Clock);
    const { now } = clock;
    const later = new Date(clock.now().getTime() + DAY_MS);
    clock.now = () => later;
    try {
      expect((await follow('confirm', token)).status).toBe(404);
    } finally {
      clock.now = now;
    }
    expect(await ann.settings()).toMatchObject({ email: ann.email });
  });

  it('end with the newer of two links', async () => {
    const ann = await person('ann');
    await ann.change({ email: named('home') });
    const first = await confirmationFor(named('home'));
    await ann.change({ email: named('other') });
    expect((await follow('confirm', first)).status).toBe(404);
    expect((await follow('confirm', await confirmationFor(named('other')))).status).toBe(204);
  });

  it('end with one request of the mail program, which may be repeated', async () => {
    const ann = await subscriber('ann');
    await settled();
    const [mail] = await received(ann.email);
    const head = mail!.raw.split('\r\n\r\n', 1)[0]!.replaceAll(/\r\n\s+/g, '');
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const address = new URL(/List-Unsubscribe: ?<([^>]+)>/.exec(head)![1]!);
    expect(address.href.startsWith(`${CLIENT.publicUrl}/api/v1/`)).toBe(true);
    const request = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
    for (let time = 0; time < 2; time++)
      expect((await fetch(service.url + address.pathname + address.search, request)).status).toBe(204);
    expect((await ann.settings()).alert_ids).toEqual([]);
    await settled();
    expect(alertsTo(ann.email)).toHaveLength(1);
  });

  it('do not end when a scanner opens the link', async () => {
    const ann = await subscriber('ann');
    await settled();
    const token = tokenOf((await received(ann.email))[0]!, 'unsubscribe');
    const answer = await follow('unsubscribe', token, { method: 'GET' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/unsubscribe#${token}`]);
    // As in the contract, which names no type of a body.
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([null, '']);
    expect((await ann.settings()).alert_ids).toEqual([alertId]);
  });

  it('take no token of another kind, and none that this service has not made', async () => {
    const ann = await subscriber('ann');
    await ann.change({ email: named('home') });
    const confirmation = await confirmationFor(named('home'));
    for (const [what, token] of [
      ['unsubscribe', confirmation],
      ['unsubscribe', 'v1.00000000.AAAA.AAAA'],
      ['confirm', 'x'],
    ] as const)
      expect((await follow(what, token)).status).toBe(404);
    expect((await ann.settings()).alert_ids).toEqual([alertId]);
  });

  it('do not reach a member who was removed, also not those that wait', async () => {
    const ann = await subscriber('ann');
    mails.refusedRecipient = ann.email;
    try {
      await match();
      await until(async () => {
        const { body } = await ann.browser.api<{ deliveries: { attempts: number }[] }>(`${OWN}/deliveries`);
        return (body.deliveries[0]?.attempts ?? 0) > 0;
      });
      await call(service, workspace, 'DELETE', `/members/${ann.id}`);
    } finally {
      mails.refusedRecipient = null;
    }
    await until(async () => (await deliveriesIn('undeliverable')) === 1);
    await settled();
    expect(alertsTo(ann.email)).toEqual([]);
    for (const table of ['alert_subscriptions', 'notification_addresses'])
      expect(
        await service.app
          .get(DataSource)
          .query(`SELECT FROM ${table} WHERE workspace_id = $1`, [workspace.workspaceId]),
      ).toEqual([]);
  });

  it('are retried and reported for the refused address alone', async () => {
    const [ann, bob] = [await subscriber('ann'), await subscriber('bob')];
    mails.refusedRecipient = ann.email;
    const newest = async ({ browser }: typeof ann) =>
      (await browser.api<{ deliveries: Record<string, unknown>[] }>(`${OWN}/deliveries`)).body.deliveries[0];
    try {
      await match();
      await received(bob.email);
      await until(async () => (await newest(ann))?.response_code === 450);
      expect(await newest(ann)).toMatchObject({ status: 'pending', event_type: 'alert.triggered' });
    } finally {
      mails.refusedRecipient = null;
    }
    await received(ann.email);
    await until(async () => (await newest(ann))?.status === 'delivered');
    expect([await newest(bob), alertsTo(bob.email).length]).toMatchObject([{ attempts: 1 }, 1]);
    expect(alertsTo(named('team'))).toHaveLength(1);
  });

  it('wait for the digest of the alert', async () => {
    const ann = await subscriber('ann');
    await call(service, workspace, 'PATCH', `/alerts/${alertId}`, { delivery: { every: 'week' } });
    await match();
    await match();
    const due = `UPDATE alerts SET digest_due_at = now() WHERE workspace_id = $1`;
    await service.app.get(DataSource).query(due, [workspace.workspaceId]);
    expect((await received(ann.email))[0]!.raw).toContain('Subject: Alert: 2 posts');
    await received(named('team'));
    expect([alertsTo(ann.email).length, alertsTo(named('team')).length]).toEqual([1, 1]);
  });

  it('are settings of each person alone, whom an API key is not', async () => {
    const [ann, bob] = [await subscriber('ann'), await person('bob', 'owner')];
    expect(await bob.settings()).toEqual({ email: bob.email, pending_email: null, alert_ids: [] });
    await bob.change({ remove_alert_ids: [alertId], email: null });
    expect((await ann.settings()).alert_ids).toEqual([alertId]);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['GET', '/deliveries'],
    ] as const) {
      const answer = await fetch(service.url + workspace.path(`/me/notifications${path}`), {
        method,
        headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' },
        ...(method === 'PATCH' && { body: '{}' }),
      });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'insufficient_scope', detail: PERSON });
    }
  });

  it('cannot be had of alerts of another workspace', async () => {
    const ann = await person('ann');
    const foreign = await call<{ id: string }>(service, await service.createWorkspace(), 'POST', '/alerts', {
      name: 'Other',
      keywords: ['rust'],
    });
    expect((await ann.change({ add_alert_ids: [foreign.id] })).status).toBe(404);
    expect((await ann.settings()).alert_ids).toEqual([]);
  });

  it('are limited by a quota', async () => {
    const ann = await subscriber('ann');
    await fetch(`${service.url}/api/v1/admin/workspaces/${workspace.workspaceId}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ quotas: { alert_subscriptions: 1 } }),
    });
    const another = await createAlert();
    expect(await ann.change({ add_alert_ids: [another] })).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'alert_subscriptions' },
    });
    expect((await ann.change({ add_alert_ids: [alertId] })).status).toBe(200);
  });

  it.each(['no address', 'two@example.org, more@example.org', '"a b"@example.org'])(
    'refuse the address %s',
    async (email) => {
      const ann = await person('ann');
      expect(await ann.change({ email })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'email' }] },
      });
    },
  );

  it('name the person in the audit log, and keep addresses encrypted', async () => {
    const ann = await subscriber('ann');
    await settled();
    await follow('unsubscribe', tokenOf((await received(ann.email))[0]!, 'unsubscribe'));
    await ann.change({ email: named('home') });
    const audit = await fetch(`${service.url}/api/v1/admin/audit?workspace_id=${workspace.workspaceId}`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const { entries } = (await audit.json()) as { entries: { action: string; actor_name: string }[] };
    for (const action of ['updateNotificationSettings', 'endSubscription'])
      expect(entries.find((entry) => entry.action === action)?.actor_name).toBe(ann.email);
    const [row] = await service.app
      .get(DataSource)
      .query<[object]>('SELECT * FROM notification_addresses WHERE workspace_id = $1', [
        workspace.workspaceId,
      ]);
    expect(JSON.stringify([row, entries])).not.toContain(named('home'));
  });
});
