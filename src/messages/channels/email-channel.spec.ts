import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { SMTPServer } from 'smtp-server';
import type { AlertNotification } from './channel.js';
import { type ChannelConfig, recipientsOf } from './channel-config.js';
import { EmailChannel, MAX_PENDING } from './email-channel.js';
import { renderEmail } from './email-message.js';
import { MailLimits } from './mail-limits.js';

const notification = (extra: Partial<AlertNotification> = {}): AlertNotification => ({
  id: 'evt_1',
  deliveryId: 'delivery_1',
  eventBody: '{}',
  workspaceId: 'a',
  alertId: 'alert_1',
  alertName: 'Languages',
  keywords: ['rust', 'go'],
  posts: Array.from({ length: 12 }, (_, i) => ({
    id: `t3_${i}`,
    title: `Title <${i}>`,
    forum: 'technology',
    author: 'crab',
    permalink: `/r/technology/comments/${i}/`,
    selftext: 'Body & more',
  })),
  totalPosts: 40,
  totalComments: 0,
  ...extra,
});

const limits = ({
  allowed,
  perRecipient = 100,
  perWorkspace = 1_000,
}: { allowed?: string[]; perRecipient?: number; perWorkspace?: number } = {}): MailLimits =>
  new MailLimits(
    allowed,
    new RateLimiterMemory({ keyPrefix: 'recipient', points: perRecipient, duration: 3_600 }),
    new RateLimiterMemory({ keyPrefix: 'workspace', points: perWorkspace, duration: 3_600 }),
  );

describe('EmailChannel', () => {
  let mails: { from: string; to: string[]; raw: string }[] = [];
  let refusal: { stage: 'rcpt' | 'data'; code: number } | null = null;
  /** Codes with which single recipients are refused. */
  let refused: Record<string, number> = {};
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
      onRcptTo: ({ address }, _session, done) => {
        const code = refused[address];
        done(code === undefined ? refuse('rcpt') : Object.assign(new Error('no'), { responseCode: code }));
      },
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
    refused = {};
    channel = open();
  });
  afterEach(() => channel.close());

  const open = (extra: Partial<ConstructorParameters<typeof EmailChannel>[0]> = {}): EmailChannel =>
    new EmailChannel({
      smtpUrl,
      from: 'Alerts <alerts@example.com>',
      timeoutMs: 5_000,
      limits: limits(),
      ...extra,
    });
  const send = (config: ChannelConfig, what = notification(), signal = new AbortController().signal) =>
    channel.send(what, config, signal);

  it('sends text and HTML with instructions to unsubscribe', async () => {
    expect(await send({ to: 'one@example.org, two@example.org' })).toMatchObject({
      ok: true,
      responseCode: 250,
    });
    const [{ from, to, raw }] = mails as [(typeof mails)[0]];
    expect(from).toBe('alerts@example.com');
    expect(to).toEqual(['one@example.org', 'two@example.org']);
    expect(raw).toContain('Subject: Alert: 40 posts matched Languages');
    expect(raw).toMatch(/List-Unsubscribe: <mailto:alerts@example\.com\?subject=unsubscribe%20alert_1>\r\n/);
    expect(raw).toContain('Message-ID: <evt_1@example.com>');
    expect(raw).toContain('Auto-Submitted: auto-generated');
    expect(raw).toContain('Content-Type: text/plain');
    expect(raw).toContain('Content-Type: text/html');
    const text = raw.replace(/=\r\n/g, '');
    expect(text).toContain('https://www.reddit.com/r/technology/comments/9/');
    expect(text).not.toContain('comments/10/');
    expect(text).toContain('and 30 more posts');
    expect(text).toContain('Title &lt;0&gt;');
  });

  describe('to several recipients of which some are refused', () => {
    const ok = 'team@example.org';
    const boss = 'boss@example.org';
    const gone = 'gone@example.org';
    const to = [ok, boss, gone];

    it.each([
      [{ [boss]: 450 }, false, [boss], '1 of 3 recipients: boss@example.org 450'],
      [{ [gone]: 550 }, true, [gone], '1 of 3 recipients: gone@example.org 550'],
      [{ [boss]: 450, [gone]: 550 }, false, [boss, gone], 'boss@example.org 450, gone@example.org 550'],
    ])('sends to the others and reports %j', async (codes, isFinal, remaining, error) => {
      refused = codes;
      const outcome = await send({ to });
      expect(outcome).toMatchObject({ ok: false, isPartial: true, remaining });
      expect([outcome.permanent ?? false, outcome.error]).toEqual([isFinal, expect.stringContaining(error)]);
      expect(mails.map((mail) => mail.to)).toEqual([to.filter((address) => !remaining.includes(address))]);
    });

    it('sends again only to those that were refused', async () => {
      expect(await send({ to }, notification({ remaining: [boss] }))).toMatchObject({ ok: true });
      expect(mails.map((mail) => mail.to)).toEqual([[boss]]);
    });

    it('has nothing to send when those were removed from the alert', async () => {
      expect(await send({ to: ok }, notification({ remaining: [boss] }))).toMatchObject({ ok: true });
      expect(mails).toEqual([]);
    });

    it('fails for good only if all of them were refused for good', async () => {
      refused = { [boss]: 550, [gone]: 450 };
      const mixed = await send({ to: [boss, gone] });
      expect(mixed).toMatchObject({ ok: false, responseCode: 450, remaining: [boss, gone] });
      expect([mixed.permanent, mixed.isPartial]).toEqual([undefined, undefined]);
      refused = { [boss]: 550, [gone]: 551 };
      expect(await send({ to: [boss, gone] })).toMatchObject({ permanent: true, responseCode: 550 });
    });

    it('does not name addresses of the operator', async () => {
      refused = { [boss]: 450 };
      channel.close();
      channel = open({ defaultTo: to.join(',') });
      const outcome = await send({});
      expect(outcome).toMatchObject({ isPartial: true, remaining: [boss] });
      expect(outcome.error).toBe('The mail server refused 1 of 3 recipients: 450');
    });
  });

  it('shows a name that looks like an encoded word as it is', async () => {
    const alertName = '=?utf-8?Q?Your=20bank?= é '.repeat(3).trim();
    await send({ to: 'one@example.org' }, notification({ alertName }));
    const [, subject] = /^Subject:((?:.|\r\n )*)/m.exec(mails[0]!.raw) ?? [];
    const words = subject!.trim().split(/\s+/);
    expect(words.every((word) => word.length <= 75)).toBe(true);
    const text = words.map((word) => {
      const [, encoded] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(word) ?? [];
      return Buffer.from(encoded!, 'base64').toString();
    });
    expect(text.join('')).toContain('matched =?utf-8?Q?Your=20bank?= é =?utf-8?Q?');
  });

  it('prevents header and recipient injection', async () => {
    await send(
      { to: 'one@example.org' },
      notification({ alertName: 'x\r\nBcc: victim@example.org\r\n\r\nhello' }),
    );
    expect(mails[0]!.to).toEqual(['one@example.org']);
    expect(mails[0]!.raw).not.toMatch(/^Bcc:/m);
    expect(mails[0]!.raw.replace(/\r\n /g, ' ')).toContain(
      'Subject: Alert: 40 posts matched x Bcc: victim@example.org hello',
    );
  });

  it('sends to the default recipient when the alert names none', async () => {
    channel.close();
    channel = open({ defaultTo: 'operator@localhost' });
    expect((await send({})).ok).toBe(true);
    expect(mails[0]!.to).toEqual(['operator@localhost']);
  });

  it('is undeliverable without a valid recipient', async () => {
    for (const to of [
      undefined,
      '',
      'no-address',
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
  ])('a rejection at %s with %i is permanent: %s', async (stage, code, permanent) => {
    refusal = { stage, code };
    const outcome = await send({ to: 'one@example.org' });
    expect(outcome).toMatchObject({ ok: false, responseCode: code });
    expect(outcome.error).toMatch(new RegExp(`^The mail server responded with ${code}`));
    expect(outcome.permanent).toBe(permanent);
  });

  it('retries when the mail server rejects the login', async () => {
    channel.close();
    channel = open({ smtpUrl: smtpUrl.replace('smtp://', 'smtp://me:wrong@') });
    const outcome = await send({ to: 'one@example.org' });
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.permanent).toBeUndefined();
    expect(outcome.error).toContain('EAUTH');
  });

  it('sends only to recipients that the operator allows, and always to the default one', async () => {
    channel.close();
    channel = open({
      limits: limits({ allowed: ['example.org', 'me@example.net'] }),
      defaultTo: 'operator@example.com',
    });
    for (const to of ['one@Example.org', 'ME@example.net', undefined])
      expect(await send({ ...(to !== undefined && { to }) })).toMatchObject({ ok: true });
    for (const to of ['you@example.net', 'one@mail.example.org', 'one@example.org, x@example.com'])
      expect(await send({ to })).toMatchObject({
        ok: false,
        permanent: true,
        responseCode: null,
        error: 'A recipient is not in ALERT_EMAIL_ALLOWED; ask the operator to add it',
      });
    expect(mails.flatMap(({ to }) => to.map((address) => address.toLowerCase()))).toEqual([
      'one@example.org',
      'me@example.net',
      'operator@example.com',
    ]);
  });

  it('limits the mails of a workspace per recipient and in total', async () => {
    channel.close();
    channel = open({ limits: limits({ perRecipient: 2, perWorkspace: 4 }) });
    const isSent = async (to: string, workspaceId = 'a'): Promise<boolean> =>
      (await send({ to }, notification({ workspaceId }))).ok;
    expect(await isSent('x@example.org')).toBe(true);
    expect(await isSent('X@example.org')).toBe(true);
    expect(await isSent('x@example.org')).toBe(false);
    expect(await isSent('x@example.org', 'b')).toBe(true);
    expect(await isSent('y@example.org')).toBe(true);
    expect(await send({ to: 'z@example.org' })).toMatchObject({
      permanent: true,
      responseCode: null,
      error: 'The workspace has reached its hourly email limit',
    });
  });

  it('counts every recipient of a mail towards the limit of its workspace', async () => {
    channel.close();
    channel = open({ limits: limits({ perWorkspace: 3 }) });
    const to = 'x@example.org, y@example.org';
    expect((await send({ to })).ok).toBe(true);
    expect(await send({ to })).toMatchObject({
      error: 'The workspace has reached its hourly email limit',
    });
  });

  it('still sends when mails cannot be counted', async () => {
    channel.close();
    const broken = new RateLimiterMemory({ points: 1, duration: 3_600 });
    broken.consume = () => Promise.reject(new Error('Redis is away'));
    channel = open({ limits: new MailLimits(undefined, broken, broken) });
    expect(await send({ to: 'x@example.org' })).toMatchObject({ ok: true });
  });

  it('frees the slots of mails that were sent, refused or aborted', async () => {
    channel.close();
    channel = open({ limits: limits({ perWorkspace: 1 }) });
    const count = 2 * MAX_PENDING;
    const errors: unknown[] = [];
    for (let mail = 0; mail < count; mail += 1) {
      const signal = mail === 0 ? undefined : AbortSignal.abort();
      const workspaceId = mail < count / 2 ? 'a' : `w${mail}`;
      errors.push((await send({ to: 'x@example.org' }, notification({ workspaceId }), signal)).error);
    }
    expect(errors[0]).toBeUndefined();
    expect(errors).not.toContain('Too many emails are queued');
    expect(mails).toHaveLength(1);
  });

  it('sends mails of one workspace while those of another wait for the server', async () => {
    const held: (() => void)[] = [];
    let isHolding = true;
    const slow = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        stream.resume();
        stream.on('end', () => {
          const isQuiet = session.envelope.rcptTo.some(({ address }) => address === 'quiet@example.org');
          if (isHolding && !isQuiet) held.push(() => done());
          else done();
        });
      },
    });
    await new Promise<void>((ready) => slow.listen(0, '127.0.0.1', ready));
    channel.close();
    channel = open({
      smtpUrl: `smtp://127.0.0.1:${(slow.server.address() as AddressInfo).port}`,
      timeoutMs: 30_000,
    });
    try {
      const flood = Array.from({ length: 120 }, (_, index) => send({ to: `r${index}@example.org` }));
      const quiet = await send({ to: 'quiet@example.org' }, notification({ workspaceId: 'b' }));
      expect(quiet).toMatchObject({ ok: true });
      isHolding = false;
      for (const release of held) release();
      const outcomes = await Promise.all(flood);
      const refused = outcomes.filter(({ error }) => error === 'Too many emails are queued');
      expect(refused.length).toBe(45);
      expect(outcomes.filter(({ ok }) => ok).length).toBe(75);
    } finally {
      channel.close();
      await new Promise<void>((closed) => slow.close(closed));
    }
  });

  describe('with a server that accepts connections and does not respond', () => {
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket));
    const connectWith = (timeoutMs: number): void => {
      channel.close();
      const { port } = silent.address() as AddressInfo;
      channel = open({ smtpUrl: `smtp://127.0.0.1:${port}`, timeoutMs });
    };
    const timedOut = {
      ok: false,
      responseCode: null,
      error: 'The mail server did not respond (timeout or shutdown)',
    };

    beforeAll(() => new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready)));
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => silent.close(closed));
    });
    afterEach(() => jest.restoreAllMocks());

    it('fails when the timer of the attempt ends first', async () => {
      const timer = new AbortController();
      jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timer.signal);
      silent.once('connection', () => timer.abort());
      connectWith(30_000);
      const outcome = await send({ to: 'one@example.org' });
      expect(outcome).toMatchObject(timedOut);
      expect(outcome.permanent).toBeUndefined();
    });

    it('fails in the same way when a timer of the transport ends first', async () => {
      jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
      connectWith(100);
      expect(await send({ to: 'one@example.org' })).toMatchObject(timedOut);
    });

    it('fails when the attempt is aborted', async () => {
      const attempt = new AbortController();
      silent.once('connection', () => attempt.abort());
      connectWith(30_000);
      expect(await send({ to: 'one@example.org' }, notification(), attempt.signal)).toMatchObject(timedOut);
    });
  });

  it('fails when the server is unavailable', async () => {
    const closed = createTcpServer();
    await new Promise<void>((ready) => closed.listen(0, '127.0.0.1', ready));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    channel.close();
    channel = open({ smtpUrl: `smtp://127.0.0.1:${port}` });
    expect(await send({ to: 'one@example.org' })).toMatchObject({
      ok: false,
      responseCode: null,
      error: expect.stringContaining('The mail server did not respond (E'),
    });
  });
});

it("an email cuts the alert's name in the subject and counts further posts", () => {
  const [post] = notification().posts;
  const { subject, text, html } = renderEmail(
    notification({ alertName: 'x'.repeat(255), posts: [{ ...post!, title: '' }], totalPosts: 3 }),
  );
  expect(subject).toBe(`Alert: 3 posts matched ${'x'.repeat(79)}…`);
  expect(html).toContain('>Untitled</a>');
  for (const part of [text, html]) expect(part).toContain('and 2 more posts');
});

describe('recipientsOf', () => {
  it.each([
    ['a@example.org', ['a@example.org']],
    [' a@example.org ,b@example.org', ['a@example.org', 'b@example.org']],
    [['a@example.org'], ['a@example.org']],
    [Array.from({ length: 11 }, (_, i) => `a${i}@example.org`), null],
    ['a@example.org;b@example.org', null],
    ['a@example.org,', null],
    [Array.from({ length: 10 }, () => 'a@example.org'), Array.from({ length: 10 }, () => 'a@example.org')],
    [['"a@example.org b"@example.org'], null],
    [['a(b)@example.org'], null],
    [[], null],
    [null, null],
  ])('%j', (to, expected) => expect(recipientsOf(to)).toEqual(expected));
});
