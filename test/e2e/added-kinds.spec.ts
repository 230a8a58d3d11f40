import request from 'supertest';
import { QUOTAS } from '../../src/config/quotas.js';
import { ADDRESS } from '../../src/messages/channels/channel-settings.js';
import { CHANNELS } from '../../src/messages/channels/channels.js';
import { postJson } from '../../src/messages/channels/post-json.js';
import { QuotasService } from '../../src/tenants/usage/quotas.service.js';
import { perMinute } from '../../src/platforms/http/request-budget.js';
import type { PlatformContext, PlatformDefinition } from '../../src/platforms/platform-definition.js';
import { PLAIN_POST } from '../../src/platforms/post-fields.js';
import type { Platform, PlatformComment, PlatformPost } from '../../src/platforms/platform.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { HttpReceiver } from '../support/receivers.js';

const ADMIN_TOKEN = 'token-of-the-operator-of-this-test';
const CREATED = new Date('2026-11-01T00:00:00Z');

const post: PlatformPost = {
  id: 'mu_site.example_1',
  forum: 'made:things',
  title: 'A made-up thing',
  author: 'someone',
  createdUtc: CREATED,
  permalink: '/things/1',
  score: 1,
  numComments: 1,
  ...PLAIN_POST,
};
const comment: PlatformComment = {
  id: 'mu_site.example_2',
  postId: post.id,
  forum: post.forum,
  postPermalink: post.permalink,
  parentId: post.id,
  author: 'other',
  body: 'Indeed.',
  score: 0,
  createdUtc: CREATED,
  depth: 0,
  isSubmitter: false,
};

/** A platform with one post, which it requests from `address` within the budget of its site. */
const madeUp = (address: string): PlatformDefinition => ({
  source: 'made_up',
  name: 'Made-up Platform',
  prefix: 'made',
  targets: [{ form: 'made:things', example: 'made:things', targetType: 'forum', description: 'all things' }],
  parseTarget: (target) =>
    target.name === 'things' ? { target } : { refusal: 'There is only made:things; send that' },
  isCaseSensitive: () => true,
  ids: { post: 'mu_', comment: 'mu_' },
  origin: 'https://{site}',
  hasSites: true,
  budget: ({ SOURCE_REQUESTS_PER_MINUTE }, site) => ({
    key: `made_up:${site}`,
    limit: perMinute(SOURCE_REQUESTS_PER_MINUTE),
  }),
  remedies: {},
  lacks: ['everything but one post'],
  resolve: ({ hostname }) =>
    hostname === 'made.example' ? { target: 'made:things', targetType: 'forum', name: 'Things' } : null,
  create: ({ outbound, budget }: PlatformContext): Platform => ({
    source: 'made_up',
    listings: ['new'],
    listingCap: null,
    archive: null,
    lookup: null,
    async fetchListing(_listing, _after, session) {
      await budget('site.example').acquire(session);
      session.onRequest();
      const { body } = await outbound.request({ method: 'GET', url: address, timeoutMs: 5_000 });
      budget('site.example').report(null, 200);
      return { posts: [{ ...post, selftext: body.toString() }], after: null };
    },
    async *walkComments() {
      yield await Promise.resolve({ comments: [comment], missing: 0 });
    },
    fetchPosts: () => Promise.resolve([post]),
    close: () => Promise.resolve(),
  }),
});

describe('kinds added from outside', () => {
  let site: HttpReceiver;
  let chat: HttpReceiver;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let remove: (() => void)[];

  beforeAll(async () => {
    site = await HttpReceiver.start({ body: 'Text of the thing.' });
    chat = await HttpReceiver.start();
    remove = [
      SOURCES.register(madeUp(site.url)),
      CHANNELS.register({
        name: 'made_up',
        title: 'Made up',
        fields: [ADDRESS],
        create: ({ http }) => ({
          send: async ({ alertName, posts }, { webhook_url }, signal) => {
            const body = JSON.stringify({ alertName, titles: posts.map(({ title }) => title) });
            return (await postJson(http, { url: webhook_url!, body, timeoutMs: 5_000, signal })).outcome;
          },
        }),
      }),
      QUOTAS.register({ name: 'made_up', title: 'Made up', kind: 'stock', default: 3 }),
    ];
    service = await startTestApplication({
      ROLES: 'api,worker',
      ADMIN_TOKEN,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    workspace = await service.createWorkspace();
  });
  afterAll(() => {
    for (const one of remove) one();
  });

  it('scrape with a platform, and notify with a channel', async () => {
    const alert = {
      name: 'Things',
      keywords: ['thing'],
      channel: 'made_up',
      channel_config: { webhook_url: `${chat.url}/x` },
    };
    await call(service, workspace, 'POST', '/alerts', alert);
    const job = await runJob(service, workspace, { target: 'made:things', download_media: false });
    expect(job).toMatchObject({
      status: 'completed',
      posts_scraped: 1,
      comments_scraped: 1,
      progress: { source: 'made_up' },
    });
    const shown = await call(service, workspace, 'GET', '/comments');
    expect(shown).toMatchObject({ comments: [{ comment_id: comment.id, body: 'Indeed.' }] });
    const [message] = await chat.received(1);
    expect(JSON.parse(message!.body)).toEqual({ alertName: 'Things', titles: ['A made-up thing'] });
  });

  it('are listed, resolved and refused like built-in sources', async () => {
    const list = await request(service.url).get('/api/v1/sources').set('X-API-Key', workspace.apiKey);
    expect((list.body as { sources: object[] }).sources).toContainEqual(
      expect.objectContaining({
        source: 'made_up',
        limit: { requests: 60, window_seconds: 60, per_site: true },
      }),
    );
    const url = 'https://made.example/things';
    expect(await call(service, workspace, 'POST', '/sources/resolve', { url })).toMatchObject({
      target: 'made:things',
      source: 'made_up',
    });
    const refused = await requestAs(service, workspace, 'POST', '/jobs').send({ target: 'made:other' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('There is only made:things');
  });

  it('refuse the configuration that a channel cannot use', async () => {
    const alert = { name: 'x', keywords: ['x'], channel: 'made_up' };
    const refused = await requestAs(service, workspace, 'POST', '/alerts').send(alert);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ errors: [{ field: 'channel_config.webhook_url' }] });
  });

  it('limit by a quota, whose override the admin sets', async () => {
    const usage = async () =>
      (await call<{ quotas: Record<string, object> }>(service, workspace, 'GET', '/usage')).quotas.made_up;
    service.get(QuotasService).register('made_up', () => Promise.resolve(2));
    expect(await usage()).toEqual({ limit: 3, used: 2 });
    const path = `/api/v1/admin/workspaces/${workspace.workspaceId}`;
    const changed = await request(service.url)
      .patch(path)
      .set('Authorization', `Bearer ${ADMIN_TOKEN}`)
      .send({ quotas: { made_up: 7 } });
    expect(changed.status).toBe(200);
    expect(await usage()).toEqual({ limit: 7, used: 2 });
  });
});
