import { jest } from '@jest/globals';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import type { AlertDto } from '../../src/alerts/alert/alert.dto.js';
import type { ReportContentDto } from '../../src/alerts/reports/report-content.dto.js';
import type { ReportDto } from '../../src/alerts/reports/report.dto.js';
import { ReportSender } from '../../src/alerts/reports/report-sender.js';
import { together } from '../../src/alerts/reports/report-of.js';
import type { TimeSeriesDto } from '../../src/content/analytics/dto/analytics.dto.js';
import { ErasedEventsRepository } from '../../src/messages/outbox/erased-events.repository.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { HttpReceiver, SmtpReceiver } from '../support/receivers.js';
import { until } from '../support/until.js';

const JOB = '00000000-0000-4000-8000-000000000009';
/** Of the seeded records, which lie in the ten weeks before. */
const NOW = '2026-11-03T09:00:00Z';
const HOUR_MS = 3_600_000;

describe('reports', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let mailbox: SmtpReceiver;
  let hook: HttpReceiver;

  beforeAll(async () => {
    [mailbox, hook] = await Promise.all([SmtpReceiver.start(), HttpReceiver.start()]);
    service = await startTestApplication({
      ROLES: 'api,scheduler,worker',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'alerts@example.com',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s',
    });
    await service.get(ReportSender).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    at(NOW);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await Promise.all([mailbox.close(), hook.close()]);
  });

  const at = (time: string) => jest.spyOn(service.get(Clock), 'now').mockReturnValue(new Date(time));
  const send = <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    call<T>(service, workspace, method, path, body);
  const alertOn = (query: string, more: object = {}) =>
    send<AlertDto>('POST', '/alerts', { name: query, query, ...more });
  const create = (body: object) => send<ReportDto>('POST', '/reports', { name: 'Weekly', ...body });
  const eraseFromEvents = (postId: string) =>
    service
      .get(TransactionRunner)
      .run((tx) =>
        service
          .get(ErasedEventsRepository)
          .eraseRecords(workspace.workspaceId, { postIds: [postId], commentIds: [], author: null }, tx),
      );
  const sendDue = () => service.get(ReportSender).work();
  const events = () =>
    service.app
      .get(DataSource)
      .query<{ id: string; data: ReportContentDto }[]>(
        `SELECT id, data FROM outbox_events WHERE workspace_id = $1 AND type = 'report.ready' ORDER BY created_at`,
        [workspace.workspaceId],
      );

  /** Ten weeks of posts and comments, unevenly over hours, words, forums and languages. */
  async function seed(): Promise<void> {
    const end = Date.parse(NOW);
    const times = (count: number, seed: number) =>
      fc
        .sample(fc.integer({ min: 0, max: 70 * 24 }), { numRuns: count, seed })
        .map((h) => new Date(end - h * HOUR_MS));
    const posts = times(700, 1).map((createdUtc, n) =>
      aPost(n, {
        createdUtc,
        title: n % 3 === 0 ? 'Rust' : `Go ${n % 5 === 0 ? 'rust' : ''}`,
        sentimentScore: Math.sin(n),
      }),
    );
    const comments = times(300, 2).map((createdUtc, n) =>
      aComment(n, { createdUtc, body: n % 4 === 0 ? 'rust' : 'go', sentimentScore: Math.cos(n) }),
    );
    await storePosts(service, workspace.workspaceId, posts);
    await storeComments(service, workspace.workspaceId, comments);
  }

  it('have the figures that analytics answer for the same filters', async () => {
    await seed();
    const alerts = [
      await alertOn('title:rust', { keywords: ['battery'], forums: ['technology'] }),
      await alertOn('rust', { of: 'all' }),
      await alertOn('go', { of: 'comments' }),
    ];
    const search = { name: 's', of: 'posts', q: 'go', filters: { min_score: 20, sentiment: 'negative' } };
    const dated = { name: 'd', filters: { created_after: '2026-10-05T10:00:00Z', forum: '!technology' } };
    const searches = [
      await send<{ id: string }>('POST', '/searches', search),
      await send<{ id: string }>('POST', '/searches', dated),
    ];
    const plan = fc.record({
      every: fc.constantFrom('day', 'week', 'month'),
      weekday: fc.constantFrom('monday', 'thursday'),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
      alerts: fc.subarray(alerts.map(({ id }) => id)),
      searches: fc.subarray(
        searches.map(({ id }) => id),
        { minLength: 1 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(plan, async (draft) => {
        const report = await send<ReportContentDto>('POST', '/reports/preview', draft);
        expect(report).toMatchObject({ not_read: [], name: 'Report' });
        expect(report.lines).toHaveLength(draft.alerts.length + draft.searches.length);
        let total = 0;
        for (const line of report.lines) {
          const [current, previous] = await Promise.all(
            [report.period, report.previous].map((period) => answered(line, period, draft)),
          );
          expect([line.volume.current, line.mean_sentiment.current]).toEqual([
            current!.volume,
            current!.sentiment,
          ]);
          expect([line.volume.previous, line.mean_sentiment.previous]).toEqual([
            previous!.volume,
            previous!.sentiment,
          ]);
          total += current!.volume;
        }
        for (const { volume, share_of_voice: voice } of report.lines)
          expect(voice?.share ?? null).toBe(total === 0 ? null : volume.current / total);
        const { from } = report.period;
        const inTrend = report.trend
          .filter(({ start }) => start >= from)
          .reduce((sum, { volume }) => sum + volume, 0);
        expect(inTrend).toBe(total);
      }),
      { numRuns: 6, seed: 7 },
    );
  });

  /** What `/analytics` answers for a line in a period. */
  async function answered(
    { of, filters }: ReportContentDto['lines'][number],
    { from, to }: ReportContentDto['period'],
    { every, weekday, timezone }: { every: string; weekday: string; timezone: string },
  ) {
    const parts: TimeSeriesDto['buckets'] = [];
    const text = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));
    const after = [filters.created_after, from]
      .filter((time) => time !== undefined)
      .map(text)
      .sort()
      .at(-1)!;
    for (const kind of of === 'all' ? ['posts', 'comments'] : [of]) {
      const parameters = new URLSearchParams({
        ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, text(value)])),
        of: kind,
        interval: every === 'week' && weekday !== 'monday' ? 'day' : every,
        timezone,
        created_after: after,
        created_before: String(to),
      });
      const { buckets } = await send<TimeSeriesDto>('GET', `/analytics/timeseries?${parameters.toString()}`);
      if (weekday === 'monday' || every !== 'week') expect(buckets.length).toBeLessThanOrEqual(1);
      parts.push(...buckets);
    }
    return together(parts.map(({ count, mean_sentiment }) => ({ volume: count, sentiment: mean_sentiment })));
  }

  it('are created, changed and read, with messages that name fields', async () => {
    const { id } = await alertOn('rust');
    const config = {
      channel: 'webhook',
      channel_config: { webhook_url: `${hook.url}/x`, secret: 'a secret' },
    };
    const report = await create({ alerts: [id], every: 'month', timezone: 'Europe/Berlin', ...config });
    expect(report).toEqual({
      ...{ id: expect.stringMatching(/^report_/) as string, name: 'Weekly', alerts: [id], searches: [] },
      ...{ every: 'month', at: '08:00', weekday: 'monday', timezone: 'Europe/Berlin', channel: 'webhook' },
      ...{ channel_config: { webhook_url: `${hook.url}/x` }, created_at: new Date(NOW).toISOString() },
    });
    const path = `/reports/${report.id}`;
    expect(await send('PATCH', path, { name: 'Monthly' })).toEqual({ ...report, name: 'Monthly' });
    expect(await send('GET', '/reports')).toEqual([await send('GET', path)]);
    const wrong = async (body: object): Promise<string[]> => {
      const answer = await requestAs(service, workspace, 'POST', '/reports').send({ name: 'x', ...body });
      return [
        answer.status,
        ...(answer.body as { errors: { field: string }[] }).errors.map(({ field }) => field),
      ].map(String);
    };
    expect(await wrong({})).toEqual(['400', 'alerts']);
    expect(await wrong({ alerts: [id, 'x'], searches: [report.id] })).toEqual([
      '400',
      'alerts.1',
      'searches.0',
    ]);
    expect(await wrong({ alerts: [id], channel: 'slack' })).toEqual(['400', 'channel_config.webhook_url']);
    const plan = { every: 'year', at: '8', weekday: 'mo', timezone: 'CET+1' };
    expect(await wrong({ alerts: [id], ...plan })).toEqual(['400', ...Object.keys(plan)]);
    const types: unknown[] = [];
    for (const format of ['json', 'html', 'md']) {
      const { headers } = await requestAs(
        service,
        workspace,
        'GET',
        `${path}/latest?format=${format}`,
      ).expect(200);
      types.push(headers['content-type'], headers['content-security-policy']?.includes("default-src 'none'"));
    }
    expect(types).toEqual([
      ...['application/json; charset=utf-8', false, 'text/html; charset=utf-8', true],
      ...['text/markdown; charset=utf-8', false],
    ]);
    await requestAs(service, workspace, 'DELETE', path).expect(200);
    await requestAs(service, workspace, 'GET', `${path}/latest`).expect(404);
  });

  it('name deleted alerts and searches, and targets that were not read', async () => {
    const [kept, gone] = [await alertOn('rust'), await alertOn('go')];
    const report = await create({ alerts: [gone.id, kept.id], every: 'day' });
    await requestAs(service, workspace, 'DELETE', `/alerts/${gone.id}`).expect(200);
    await service.app.get(DataSource).query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments, status, error_message, completed_at)
       SELECT $1, gen_random_uuid(), target, 'forum', 'full', 10, false, false, status, 'Private.', time::timestamptz FROM (VALUES
         ('technology', 'failed', '2026-11-02T10:00:00Z'), ('rust', 'failed', '2026-11-02T10:00:00Z'),
         ('rust', 'completed', '2026-11-02T11:00:00Z'), ('go', 'failed', '2026-11-03T00:00:00Z')) AS job (target, status, time)`,
      [workspace.workspaceId],
    );
    const latest = await send<ReportContentDto>('GET', `/reports/${report.id}/latest`);
    expect(latest.lines.map(({ alert_id }) => alert_id)).toEqual([kept.id]);
    expect(latest.not_read).toEqual([
      { source: gone.id, reason: 'It was deleted.' },
      { source: 'technology', reason: 'Private.' },
    ]);
    expect(latest.summary).toBe(
      `Nothing changed: no mentions, as in the period before. Not read: ${gone.id}, technology.`,
    );
  });

  it('name new stories once, and lose the title of a post that is erased', async () => {
    const titles = [
      ['Mirai botnet attacks Zyxel routers at Vodafone customers', '2026-10-28T10:00:00Z'],
      ['Zyxel routers of Vodafone hacked by Mirai botnet', '2026-10-29T10:00:00Z'],
      ['Kepler telescope photographs Enceladus geysers', '2026-10-20T10:00:00Z'],
      ['Kepler-Teleskop fotografiert Geysire auf Enceladus', '2026-10-28T10:00:00Z'],
    ] as const;
    const posts = titles.map(([title, time], number) =>
      aPost(number, { title, selftext: '', url: null, createdUtc: new Date(time) }),
    );
    await storePosts(service, workspace.workspaceId, posts);
    const alerts = [await alertOn('mirai OR kepler'), await alertOn('vodafone')].map(({ id }) => id);
    at('2026-10-30T00:00:00Z');
    const { id } = await create({ alerts, every: 'week', weekday: 'monday' });
    at(NOW);
    const { new_stories: stories } = await send<ReportContentDto>('GET', `/reports/${id}/latest`);
    expect(stories.map(({ size, first_at }) => [size, first_at])).toEqual([[2, '2026-10-28T10:00:00.000Z']]);
    await sendDue();
    expect((await events()).map(({ data }) => data.new_stories)).toEqual([stories]);
    await eraseFromEvents(stories[0]!.post_id);
    expect((await events()).map(({ data }) => data.new_stories)).toEqual([[]]);
  });

  /** Matched posts of the last days, the first of them urgent. */
  async function storeMatches(): Promise<void> {
    const posts = [1, 2, 3].map((number) => ({
      ...aPost(number, { title: `Rust ${number}`, numComments: number === 1 ? 0 : 40 }),
      createdUtc: new Date('2026-10-27T12:00:00Z'),
    }));
    await service.get(TransactionRunner).run(async (tx) => {
      await storePosts(service, workspace.workspaceId, posts);
      await service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOB, { posts }, null, tx);
    });
  }

  it('ask for answers to posts of the period about which nothing is decided', async () => {
    const [from, to] = [Date.parse('2026-10-26T00:00:00Z'), Date.parse('2026-11-02T00:00:00Z')];
    const times = [from - 1, from, to - 1, to, from + 1, from + 2, from + 3];
    const posts = times.map((time, number) => aPost(number, { title: 'Rust', createdUtc: new Date(time) }));
    const alert = await alertOn('rust', { fold_duplicates: false });
    await service.get(TransactionRunner).run(async (tx) => {
      await storePosts(service, workspace.workspaceId, posts);
      await service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOB, { posts }, null, tx);
    });
    const { matches } = await send<{ matches: { id: string; post: { id: string } }[] }>('GET', '/matches');
    for (const [number, state] of [
      [4, 'kept'],
      [5, 'dismissed'],
      [6, 'seen'],
    ] as const) {
      const match = matches.find(({ post }) => post.id === posts[number]!.id)!;
      await send('PATCH', `/matches/${match.id}`, { state });
    }
    const { to_answer } = await send<ReportContentDto>('POST', '/reports/preview', { alerts: [alert.id] });
    const asked = to_answer.map(({ post_id }) => posts.findIndex(({ id }) => id === post_id));
    expect(asked.sort()).toEqual([1, 2, 6]);
  });

  it('are sent once a period at the local hour, also after a crash', async () => {
    const alert = await alertOn('rust');
    await storeMatches();
    at('2026-10-24T10:00:00Z');
    // Clocks are set back on 25 October.
    await create({ alerts: [alert.id], every: 'day', timezone: 'Europe/Berlin' });
    const sentAt = async (time: string): Promise<number> => {
      at(time);
      await Promise.all([sendDue(), sendDue(), sendDue()]);
      return (await events()).length;
    };
    expect(await sentAt('2026-10-25T06:59:59Z')).toBe(0);
    jest.spyOn(service.get(OutboxRepository), 'append').mockRejectedValue(new Error('killed'));
    expect(await sentAt('2026-10-25T07:00:00Z')).toBe(0);
    jest.restoreAllMocks();
    expect(await sentAt('2026-10-25T07:04:59Z')).toBe(0);
    expect(await sentAt('2026-10-25T07:05:00Z')).toBe(1);
    expect(await sentAt('2026-10-26T06:59:59Z')).toBe(1);
    expect(await sentAt('2026-10-26T07:00:00Z')).toBe(2);
    expect(await sentAt('2026-10-28T20:00:00Z')).toBe(3);
    expect((await events()).map(({ data }) => [data.period.from, data.unchanged])).toEqual([
      ['2026-10-23T22:00:00.000Z', true],
      ['2026-10-24T22:00:00.000Z', true],
      ['2026-10-26T23:00:00.000Z', false],
    ]);
  });

  it('reach a mailbox again after a failure, with text, HTML and the picture', async () => {
    const alert = await alertOn('rust');
    await storeMatches();
    await create({
      alerts: [alert.id],
      at: '10:00',
      weekday: 'tuesday',
      channel_config: { to: 'a@example.org' },
    });
    mailbox.refusal = { code: 451, text: 'later' };
    at('2026-11-03T10:00:00Z');
    await sendDue();
    await until(attempts, (count) => count > 0);
    mailbox.refusal = null;
    const [mail] = await mailbox.received(1);
    expect(mail!.raw).toMatch(/Subject: Report: Weekly, 27 .* 2 November 2026|Subject: =\?UTF-8/);
    expect(mail!.raw.match(/^Content-Type: [a-z/]+/gm)).toEqual(
      ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png'].map(
        (type) => `Content-Type: ${type}`,
      ),
    );
    expect(mail!.raw).toContain('Content-ID: <trend>');
  });

  const attempts = async (): Promise<number> => {
    const [row] = await service.app
      .get(DataSource)
      .query<[{ attempts: number }]>(
        `SELECT coalesce(sum(attempts), 0)::int AS attempts FROM deliveries WHERE workspace_id = $1 AND destination_kind = 'report'`,
        [workspace.workspaceId],
      );
    return row.attempts;
  };

  it('reach webhooks as JSON and chats in their form, and lose what is erased', async () => {
    const alert = await alertOn('rust');
    await storeMatches();
    const plan = { alerts: [alert.id], at: '10:00', weekday: 'tuesday' };
    await create({ ...plan, channel: 'webhook', channel_config: { webhook_url: `${hook.url}/json` } });
    await create({ ...plan, channel: 'discord', channel_config: { webhook_url: `${hook.url}/chat` } });
    at('2026-11-03T10:00:00Z');
    await sendDue();
    const received = await hook.received(2);
    const bodies = new Map(
      received.map(({ url, body }) => [url, JSON.parse(body) as Record<string, unknown>]),
    );
    expect(bodies.get('/json')).toMatchObject({
      type: 'report.ready',
      data: {
        report_id: expect.stringMatching(/^report_/) as string,
        lines: [{ alert_id: alert.id, volume: { current: 3, previous: 0, change: 3 } }],
        to_answer: [
          { post_id: aPost(1).id, reasons: expect.arrayContaining(['no reply yet']) as string[] },
          {},
          {},
        ],
      },
    });
    const { content, embeds } = bodies.get('/chat') as { content: string; embeds: { title: string }[] };
    expect(content).toContain('3 mentions, none before; 3 to answer.\nrust\\: 3 mentions');
    expect(embeds.map(({ title }) => title)).toHaveLength(3);
    await eraseFromEvents(aPost(2).id);
    expect((await events()).map(({ data }) => data.to_answer)).toEqual([[], []]);
  });
});
