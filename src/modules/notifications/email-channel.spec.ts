import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { AlertNotification } from './channel.js';
import { type ChannelConfig, recipientsOf } from './channel-config.js';
import { EmailChannel } from './email-channel.js';

const notification = (extra: Partial<AlertNotification> = {}): AlertNotification => ({
  id: 'evt_1',
  alertId: 'alert_1',
  alertName: 'Languages',
  keywords: ['rust', 'go'],
  posts: Array.from({ length: 12 }, (_, i) => ({
    title: `Title <${i}>`,
    forum: 'technology',
    author: 'crab',
    permalink: `/r/technology/comments/${i}/`,
    selftext: 'Body & more',
  })),
  totalPosts: 40,
  ...extra,
});

describe('EmailChannel', () => {
  let mails: { from: string; to: string[]; raw: string }[] = [];
  let refusal: { stage: 'rcpt' | 'data'; code: number } | null = null;
  let server: SMTPServer;
  let smtpUrl: string;
  let channel: EmailChannel;

  const refuse = (stage: 'rcpt' | 'data'): Error | null =>
    refusal?.stage === stage ? Object.assign(new Error('no'), { responseCode: refusal.code }) : null;

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth, _session, done) => done(new Error('wrong password')),
      onRcptTo: (_address, _session, done) => done(refuse('rcpt')),
      onData: (stream, session, done) => {
        let raw = '';
        stream.on('data', (chunk) => (raw += String(chunk)));
        stream.on('end', () => {
          const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
          mails.push({ from, to: session.envelope.rcptTo.map(({ address }) => address), raw });
          done(refuse('data'));
        });
      },
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((closed) => server.close(closed)));
  beforeEach(() => {
    mails = [];
    refusal = null;
    channel = open();
  });
  afterEach(() => channel.close());

  const open = (extra: Partial<ConstructorParameters<typeof EmailChannel>[0]> = {}): EmailChannel =>
    new EmailChannel({ smtpUrl, from: 'Alerts <alerts@example.com>', timeoutMs: 5_000, ...extra });
  const send = (config: ChannelConfig, what = notification(), signal = new AbortController().signal) =>
    channel.send(what, config, signal);

  it('sends text and HTML with a way to unsubscribe', async () => {
    expect(await send({ to: 'one@example.org, two@example.org' })).toMatchObject({
      ok: true,
      responseCode: 250,
    });
    const [{ from, to, raw }] = mails as [(typeof mails)[0]];
    expect(from).toBe('alerts@example.com');
    expect(to).toEqual(['one@example.org', 'two@example.org']);
    expect(raw).toContain('Subject: Alert Languages: 40 posts');
    expect(raw).toMatch(/List-Unsubscribe: <mailto:alerts@example\.com\?subject=unsubscribe%20alert_1>\r\n/);
    expect(raw).toContain('Message-ID: <evt_1@example.com>');
    expect(raw).toContain('Content-Type: text/plain');
    expect(raw).toContain('Content-Type: text/html');
    const text = raw.replace(/=\r\n/g, '');
    expect(text).toContain('https://www.reddit.com/r/technology/comments/9/');
    expect(text).not.toContain('comments/10/');
    expect(text).toContain('and 30 more posts');
    expect(text).toContain('Title &lt;0&gt;');
  });

  it('lets no header and no recipient be smuggled in', async () => {
    await send(
      { to: 'one@example.org' },
      notification({ alertName: 'x\r\nBcc: victim@example.org\r\n\r\nhello' }),
    );
    expect(mails[0]!.to).toEqual(['one@example.org']);
    expect(mails[0]!.raw).not.toMatch(/^Bcc:/m);
    expect(mails[0]!.raw.replace(/\r\n /g, ' ')).toContain('Subject: Alert x Bcc: victim@example.org hello');
  });

  it('writes to the default recipient when the alert names none', async () => {
    channel.close();
    channel = open({ defaultTo: 'operator@example.com' });
    expect((await send({})).ok).toBe(true);
    expect(mails[0]!.to).toEqual(['operator@example.com']);
  });

  it('is undeliverable without a sound recipient', async () => {
    for (const to of [
      undefined,
      '',
      'nobody',
      7,
      { a: 1 },
      ['a@b.example', 'c\r\nd@b.example'],
      'a <b@c.example>',
    ])
      expect(await send({ to } as ChannelConfig)).toMatchObject({
        ok: false,
        permanent: true,
        responseCode: null,
      });
    expect(mails).toEqual([]);
  });

  it.each([
    ['rcpt' as const, 550, true],
    ['rcpt' as const, 450, undefined],
    ['data' as const, 554, true],
    ['data' as const, 451, undefined],
  ])('a refusal at %s with %i is permanent: %s', async (stage, code, permanent) => {
    refusal = { stage, code };
    const outcome = await send({ to: 'one@example.org' });
    expect(outcome).toMatchObject({ ok: false, responseCode: code });
    expect(outcome.permanent).toBe(permanent);
  });

  it('tries again when the operator is not let in', async () => {
    channel.close();
    channel = open({ smtpUrl: smtpUrl.replace('smtp://', 'smtp://me:wrong@') });
    const outcome = await send({ to: 'one@example.org' });
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.permanent).toBeUndefined();
    expect(outcome.error).toContain('EAUTH');
  });

  it('gives up on a server that says nothing or is away, and when called off', async () => {
    const silent = createTcpServer();
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
    const sockets: import('node:net').Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    const { port } = silent.address() as AddressInfo;
    channel.close();
    channel = open({ smtpUrl: `smtp://127.0.0.1:${port}`, timeoutMs: 100 });
    const outcome = await send({ to: 'one@example.org' });
    expect(outcome).toMatchObject({ ok: false, responseCode: null });
    expect(outcome.permanent).toBeUndefined();
    expect(await send({ to: 'one@example.org' }, notification(), AbortSignal.abort())).toMatchObject({
      ok: false,
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => silent.close(closed));
    const away = await send({ to: 'one@example.org' });
    expect(away).toMatchObject({ ok: false, responseCode: null });
  });
});

describe('recipientsOf', () => {
  it.each([
    ['a@example.org', ['a@example.org']],
    [' a@example.org ,b@example.org', ['a@example.org', 'b@example.org']],
    [['a@example.org'], ['a@example.org']],
    [Array.from({ length: 11 }, (_, i) => `a${i}@example.org`), null],
    ['a@example.org;b@example.org', null],
    ['a@example.org,', null],
    [[], null],
    [null, null],
  ])('%j', (to, expected) => expect(recipientsOf(to)).toEqual(expected));
});
