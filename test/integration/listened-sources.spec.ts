import { jest } from '@jest/globals';
import type pg from 'pg';
import { HeardStore } from '../../src/collect/streams/heard-store.js';
import { StreamReader } from '../../src/collect/streams/stream-reader.js';
import { StreamsRepository } from '../../src/collect/streams/streams.repository.js';
import { RetryingTransactions } from '../../src/database/retrying-transactions.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { GITHUB } from '../../src/platforms/github/github-definition.js';
import { Platforms } from '../../src/platforms/platforms.js';
import { listenable, splitListened } from '../../src/platforms/listening.js';
import { SOURCES } from '../../src/platforms/registry.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { connect } from '../support/database.js';
import { LISTENED, ListenedNetwork } from '../support/listened/listened-network.js';
import type { ListenedSource, Written } from '../support/listened/listened-source.js';
import { until } from '../support/until.js';

interface Listening {
  sources: { source: string; state: string; read: number; matched: number; gaps: object[] }[];
}

describe('sources that are read again and again, with 30 % of the requests failing', () => {
  let network: ListenedNetwork;
  let service: TestApplication;
  let database: pg.Client;
  let second: StreamReader | undefined;
  let workspaces: [TestWorkspace, TestWorkspace];
  const alerts = new Map<ListenedSource, string[]>();

  beforeAll(async () => {
    network = await ListenedNetwork.start(0.3);
    // GitHub has a fixed limit, by which it is read every 15 seconds.
    const limit = { requests: 1_000_000, withinMs: 3_600_000 };
    jest.spyOn(GITHUB, 'budget').mockReturnValue({ key: 'github', limit });
    service = await startTestApplication({
      ROLES: 'api,worker,scheduler',
      ...network.variables,
    });
    database = await connect(service.environment.DATABASE_URL!);
    workspaces = [await service.createWorkspace(), await service.createWorkspace()];
    for (const source of LISTENED)
      alerts.set(source, [
        await alert(workspaces[0], 'heron', source),
        await alert(workspaces[1], 'heron -grey', source),
      ]);
    for (const source of LISTENED)
      await until(
        () => listening(source, 1),
        ({ state }) => state === 'live',
      );
  });
  afterAll(async () => {
    await second?.beforeApplicationShutdown();
    await database?.end();
    await network?.close();
  });

  const alert = async (
    workspace: TestWorkspace,
    query: string,
    { listen }: ListenedSource,
  ): Promise<string> => {
    const body = { name: query, query, of: 'all', listen: [listen], channel_config: { to: 'a@example.com' } };
    const { body: created } = await requestAs(service, workspace, 'POST', '/alerts').send(body).expect(201);
    return (created as { id: string }).id;
  };
  const listening = async (source: ListenedSource, at: 0 | 1) => {
    const path = `/alerts/${alerts.get(source)![at]}/listening`;
    const { body } = await requestAs(service, workspaces[at], 'GET', path).expect(200);
    return (body as Listening).sources[0]!;
  };
  const stored = async (prefix: string, { workspaceId }: TestWorkspace): Promise<string[]> =>
    (
      await database.query<{ id: string }>(
        `SELECT id FROM posts WHERE workspace_id = $1 AND starts_with(id, $2)
         UNION ALL SELECT 'comment ' || comment_id FROM comments WHERE workspace_id = $1 AND starts_with(comment_id, $2) ORDER BY 1`,
        [workspaceId, prefix],
      )
    ).rows.map(({ id }) => id);

  it('are all of those that queries can listen to, but for Bluesky, which is a stream', () => {
    const names = LISTENED.map(({ listen }) => splitListened(listen).source);
    expect(['bluesky', ...names].sort()).toEqual(
      listenable(SOURCES)
        .map(({ example }) => splitListened(example).source)
        .sort(),
    );
  });

  it('give each match once to each workspace, over a restart of the reader', async () => {
    const expected = new Map(
      LISTENED.map((source) => [source, { first: new Set<string>(), second: new Set<string>() }]),
    );
    const plant = (round: number): void => {
      for (const source of LISTENED) {
        const { first, second } = expected.get(source)!;
        const write = (text: string, above: Written | null = null): Written => {
          const written = network.write(source, `${text} of round ${round}`, above);
          const id = `${above === null ? '' : 'comment '}${source.idOf(written)}`;
          if (text.includes('heron')) {
            for (const ids of text.includes('grey') ? [first] : [first, second]) {
              ids.add(id);
              if (above !== null) ids.add(source.idOf(above));
            }
          }
          return written;
        };
        write('A heron');
        write('A grey heron');
        const stork = write('A stork');
        if (source.hasComments) write('No, a heron', stork);
      }
    };
    plant(1);
    for (const source of LISTENED)
      await until(
        () => listening(source, 0),
        ({ matched }) => matched >= 2 + Number(source.hasComments),
      );
    const planted = new Date();
    await until(
      () => database.query('SELECT FROM stream_cursors WHERE newest_at > $1', [planted]),
      ({ rowCount }) => rowCount === LISTENED.length,
    );
    await service.get(StreamReader).beforeApplicationShutdown();
    plant(2);
    expect(await listening(LISTENED[0]!, 0)).toMatchObject({ state: 'resting' });
    second = new StreamReader(
      service.get(Platforms),
      service.get(StreamsRepository),
      service.get(HeardStore),
      service.get(RetryingTransactions),
      new MetricsRegistry(),
    );
    second.onApplicationBootstrap();
    for (const source of LISTENED) {
      const prefix = SOURCES.find(splitListened(source.listen).source)!.ids.post;
      const { first, second } = expected.get(source)!;
      for (const [at, ids] of [
        [0, first],
        [1, second],
      ] as const)
        expect(
          await until(
            () => stored(prefix, workspaces[at]),
            (all) => all.length >= ids.size,
          ),
        ).toEqual([...ids].sort());
      const comments = 2 * Number(source.hasComments);
      expect(await listening(source, 0)).toMatchObject({
        read: 6 + comments,
        matched: 4 + comments,
        gaps: [],
      });
      expect(await listening(source, 1)).toMatchObject({
        read: 6 + comments,
        matched: 2 + comments,
        gaps: [],
      });
    }
  });

  it('show deletions to both workspaces, where the source does', async () => {
    const last = LISTENED.map((source) => ({ source, text: network.write(source, 'The last heron') }));
    for (const { source, text } of last)
      await until(
        () => stored(source.idOf(text), workspaces[1]),
        ({ length }) => length === 1,
      );
    for (const { text } of last) text.isDeleted = true;
    for (const { source, text } of last.filter(({ source }) => source.showsDeletions))
      await until(
        () =>
          database.query(`SELECT FROM posts WHERE id = $1 AND selftext = '[deleted]'`, [source.idOf(text)]),
        ({ rowCount }) => rowCount === 2,
      );
  });
});
