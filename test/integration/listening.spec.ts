import type pg from 'pg';
import { requestAs } from '../support/client.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { BlueskyNetwork } from '../support/bluesky-network.js';
import { connect } from '../support/database.js';
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
    });
    database = await connect(service.environment.DATABASE_URL!);
    workspaces = [await service.createWorkspace(), await service.createWorkspace()];
  });
  afterAll(async () => {
    await database?.end();
    await service?.close();
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
  });
});
