import type pg from 'pg';
import { requestAs } from '../support/client.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { BlueskyNetwork } from '../../scripts/bench/support/bluesky-network.js';
import { connect } from '../support/database.js';
import { runJob } from '../support/jobs.js';
import { until } from '../support/until.js';

interface Listening {
  sources: {
    source: string;
    state: string;
    read: number;
    matched: number;
    since: string | null;
    gaps: object[];
  }[];
}

describe('alerts that listen to Bluesky', () => {
  let network: BlueskyNetwork;
  let service: TestApplication;
  let database: pg.Client;
  let workspaces: TestWorkspace[];

  beforeAll(async () => {
    network = await BlueskyNetwork.start();
    service = await startTestApplication({
      ROLES: 'api,worker,scheduler',
      BLUESKY_APPVIEW_URL: network.address,
      JETSTREAM_URL: network.stream,
      SOURCE_REQUESTS_PER_MINUTE: '1000000',
      QUOTA_LISTENED_POSTS_PER_DAY: '5',
      QUOTA_LISTENED_SITES: '2',
    });
    database = await connect(service.environment.DATABASE_URL!);
    workspaces = [await service.createWorkspace(), await service.createWorkspace()];
  });
  afterAll(async () => {
    await database?.end();
    network?.close();
  });

  const alert = async (workspace: TestWorkspace, query: string, more: object = {}): Promise<string> => {
    const body = {
      name: query,
      query,
      listen: ['bluesky'],
      channel_config: { to: 'a@example.com' },
      ...more,
    };
    const { body: created } = await requestAs(service, workspace, 'POST', '/alerts').send(body).expect(201);
    return (created as { id: string }).id;
  };
  const listening = async (workspace: TestWorkspace, id: string) =>
    ((await requestAs(service, workspace, 'GET', `/alerts/${id}/listening`).expect(200)).body as Listening)
      .sources[0]!;
  const stored = async (
    table: 'posts' | 'comments',
    id: string,
    { workspaceId }: TestWorkspace,
  ): Promise<string[]> =>
    (
      await database.query<{ id: string }>(
        `SELECT ${id} AS id FROM ${table} WHERE workspace_id = $1 ORDER BY 1`,
        [workspaceId],
      )
    ).rows.map((row) => row.id);
  const posts = (workspace: TestWorkspace) => stored('posts', 'id', workspace);
  const matches = async () =>
    (await database.query<{ id: string }>('SELECT post_id AS id FROM alert_matches ORDER BY 1')).rows.map(
      ({ id }) => id,
    );

  it('store what matches, with the post above a reply, once a workspace', async () => {
    const [first, second] = workspaces as [TestWorkspace, TestWorkspace];
    const ids = [
      await alert(first, 'heron', { of: 'all' }),
      await alert(first, 'heron OR egret'),
      await alert(second, 'egret -white'),
    ];
    await until(
      () => listening(second, ids[2]!),
      ({ since, state }) => since !== null && state !== 'resting',
    );
    network.write('above', { text: 'Seen at the lake' });
    const heron = network.write('heron', { text: 'A heron' });
    const egret = network.write('egret', { text: 'An egret' });
    network.write('white', { text: 'A white egret', isHidden: true });
    network.write('other', { text: 'A stork' });
    const reply = network.write('reply', { text: 'No, a heron', replyTo: 'above' });
    await until(matches, (all) => all.length >= 5);
    expect(await posts(first)).toEqual(['bs_did:plc:writer_above', egret, heron].sort());
    expect(await posts(second)).toEqual([egret]);
    expect(await stored('comments', 'comment_id', first)).toEqual([reply]);
    expect(await matches()).toEqual([egret, egret, heron, heron, `comment:${reply}`].sort());
    expect(await listening(first, ids[0]!)).toMatchObject({
      source: 'bluesky',
      state: 'live',
      read: 6,
      matched: 2,
      gaps: [],
    });
    expect(await listening(first, ids[1]!)).toMatchObject({ read: 6, matched: 3 });
    expect(network.mostConnections).toBe(1);
    network.write('heron', { text: 'A stork, on second sight' }, 'update');
    network.write('reply', { text: 'No, a crane', replyTo: 'above' }, 'update');
    const words = async (): Promise<unknown[]> => {
      const { rows } = await database.query<{ text: string }>(
        `SELECT selftext AS text FROM posts WHERE id = $1 UNION ALL SELECT body FROM comments WHERE comment_id = $2`,
        [heron, reply],
      );
      return rows.map(({ text }) => text);
    };
    await until(words, (all) => all.join() === 'A stork, on second sight,No, a crane');
    expect(await listening(first, ids[0]!)).toMatchObject({ matched: 2 });
    expect(await matches()).toHaveLength(5);
  });

  it('store for a search, count beyond the quota of a day, and forget the deleted', async () => {
    const workspace = await service.createWorkspace();
    const search = { name: 'Owls', q: 'owl', filters: { language: ['!de'] }, listen: ['bluesky'] };
    const { body: saved } = await requestAs(service, workspace, 'POST', '/searches').send(search).expect(201);
    expect(saved).toMatchObject({ listen: ['bluesky'] });
    const id = await alert(workspace, 'owl', { of: 'all' });
    await until(
      () => listening(workspace, id),
      ({ since }) => since !== null,
    );
    const hidden = network.write('hidden', { text: 'An owl', did: 'did:plc:shy', isHidden: true });
    const state = () =>
      database.query<{ id: string; state: string }>(
        'SELECT id, state FROM heard_texts WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
    await until(state, ({ rows }) => rows[0]?.state === 'unread');
    const ids = Array.from({ length: 7 }, (_, number) =>
      network.write(`owl${number}`, { text: `Owl ${number}` }),
    );
    await until(
      () => listening(workspace, id),
      ({ matched }) => matched === 8,
    );
    await until(
      () => posts(workspace),
      (all) => all.length >= 4,
    );
    expect(await posts(workspace)).toEqual(ids.slice(0, 4));
    expect(
      (await state()).rows
        .filter((row) => row.state === 'unstored')
        .map((row) => row.id)
        .sort(),
    ).toEqual(ids.slice(4));
    expect((await state()).rows.find((row) => row.id === hidden)).toMatchObject({ state: 'unread' });
    const late = network.write('late', { text: 'A late owl' });
    const lateRow = ({ rows }: { rows: { id: string; state: string }[] }) =>
      rows.find(({ id }) => id === late);
    const settled = await until(state, (all) => ![undefined, 'waiting'].includes(lateRow(all)?.state));
    expect(lateRow(settled)).toMatchObject({ state: 'unstored' });
    const { body: usage } = await requestAs(service, workspace, 'GET', '/usage').expect(200);
    expect(usage).toMatchObject({ quotas: { listened_posts_per_day: { limit: 5, used: 5 } } });
    const { body: shown } = await requestAs(service, workspace, 'GET', `/alerts/${id}?view=full`).expect(200);
    expect(shown).toMatchObject({
      listen: ['bluesky'],
      warnings: [{ code: 'no_mail_server' }, { code: 'listened_posts_per_day' }],
    });
    network.delete('owl0');
    await until(
      () => database.query(`SELECT FROM posts WHERE id = $1 AND title = '[deleted]'`, [ids[0]]),
      ({ rowCount }) => rowCount === 1,
    );
  });

  it('share the stream with jobs for a query', async () => {
    const workspace = await service.createWorkspace();
    const job = { target: 'bsky:search/kite NOT red', target_type: 'forum', scrape_comments: false };
    expect(await runJob(service, workspace, job)).toMatchObject({ status: 'completed', error_message: null });
    const kept = () => database.query(`SELECT id FROM stream_posts WHERE topic = 'search/kite NOT red'`);
    await until(
      () => database.query(`SELECT FROM stream_cursors WHERE lease_until > now()`),
      ({ rowCount }) => rowCount === 1,
    );
    // The reader takes notice of a topic within a second.
    const ids: string[] = [];
    await until(
      () => {
        ids.push(network.write(`kite${ids.length}`, { text: 'A kite' }));
        network.write(`red${ids.length}`, { text: 'A red kite' });
        return kept();
      },
      ({ rowCount }) => rowCount !== null && rowCount > 0,
      { everyMs: 200 },
    );
    await runJob(service, workspace, { ...job, mode: 'monitor' });
    const found = await posts(workspace);
    expect(found.length).toBeGreaterThan(0);
    expect(ids).toEqual(expect.arrayContaining(found));
  });

  it('listen to as many sites as the quota allows, together with saved searches', async () => {
    const workspace = await service.createWorkspace();
    const [one, two, three] = [
      'lemmy:one.example',
      'feed:https://two.example/feed',
      'mastodon:three.example',
    ];
    const id = await alert(workspace, 'ibis', { listen: ['bluesky', one, two] });
    const search = async (listen: string[], status: number): Promise<unknown> =>
      (
        await requestAs(service, workspace, 'POST', '/searches')
          .send({ name: 'Ibis', q: 'ibis', listen })
          .expect(status)
      ).body;
    const { id: searchId } = (await search([two], 201)) as { id: string };
    const refusal = { code: 'quota_exceeded', quota: 'listened_sites', limit: 2, used: 2 };
    expect(await search([three], 403)).toMatchObject(refusal);
    const patch = (listen: string[]) =>
      requestAs(service, workspace, 'PATCH', `/alerts/${id}`).send({ listen });
    expect((await patch([one, two, three]).expect(403)).body).toMatchObject(refusal);
    await patch([three, two]).expect(200);
    expect((await requestAs(service, workspace, 'GET', '/usage').expect(200)).body).toMatchObject({
      quotas: { listened_sites: { limit: 2, used: 2 } },
    });
    // So that no host is asked for long.
    for (const path of [`/alerts/${id}`, `/searches/${searchId}`])
      await requestAs(service, workspace, 'DELETE', path).expect(200);
  });

  it('refuse what cannot be listened to', async () => {
    const [workspace] = workspaces as [TestWorkspace];
    for (const [path, listen, reason] of [
      [
        '/alerts',
        ['bluesky', 'carrier-pigeons'],
        'listen.1: This service cannot listen to "carrier-pigeons"',
      ],
      ['/searches', ['carrier-pigeons'], 'listen.0: This service cannot listen'],
      ['/alerts', ['bluesky', 'Bluesky'], 'All listen'],
      ['/searches', ['bluesky'], 'listen needs a q'],
    ] as const) {
      const body = {
        name: 'x',
        listen,
        ...(path === '/alerts' && { query: 'x', channel_config: { to: 'a@example.com' } }),
      };
      const { body: problem } = await requestAs(service, workspace, 'POST', path).send(body).expect(400);
      expect(JSON.stringify(problem)).toContain(JSON.stringify(reason).slice(1, -1));
    }
  });
});
