import type pg from 'pg';
import { HeardStore } from '../../src/collect/streams/heard-store.js';
import { StreamReader } from '../../src/collect/streams/stream-reader.js';
import { StreamsRepository } from '../../src/collect/streams/streams.repository.js';
import { RetryingTransactions } from '../../src/database/retrying-transactions.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { Platforms } from '../../src/platforms/platforms.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { connect } from '../support/database.js';
import { type Answer, HttpReceiver, type ReceivedRequest } from '../support/receivers.js';
import { until } from '../support/until.js';

const PIEFED = 'piefed.example';
const CLOSED = 'closed.example';
/** More than a page has. */
const POSTS = 60;
const PAGE = 50;

const json = (value: object, status = 200): Answer => ({ status, body: JSON.stringify(value) });

/** An instance of PieFed whose lists grow, and one of Mastodon that shows its timeline to members alone. */
class Sites {
  /** The newest first. */
  private posts: object[] = [];
  private holds: Promise<void> | null = null;
  private heldPages = 0;

  constructor(readonly server: HttpReceiver) {}

  static async start(): Promise<Sites> {
    const sites: Sites = new Sites(await HttpReceiver.start((request) => sites.answer(request)));
    return sites;
  }

  get isHeld(): boolean {
    return this.heldPages > 0;
  }

  write(count: number): void {
    const published = new Date().toISOString();
    this.posts = Array.from({ length: count }, (_, index) => ({
      post: { id: count - index, title: `A heron, ${count - index}`, published, user_id: 1 },
      creator: { user_name: 'writer', local: true },
      community: { name: 'birds', local: true },
      counts: {},
    }));
  }

  /** Answers the next request for a second page when `until` has settled. */
  holdSecondPage(until: Promise<void>): void {
    this.holds = until;
  }

  private answer({ path, params }: ReceivedRequest): Answer {
    if (path === '/.well-known/nodeinfo')
      return json({ links: [{ href: `https://${PIEFED}/nodeinfo/2.0` }] });
    if (path === '/nodeinfo/2.0') return json({ software: { name: 'piefed' } });
    if (path === '/api/v1/timelines/public')
      return json({ error: 'This method requires an authenticated user' }, 401);
    if (path === '/api/alpha/comment/list') return json({ comments: [], next_page: null });
    if (path !== '/api/alpha/post/list') return json({ message: 'Not found' }, 404);
    const page = Number(params.get('page') ?? 1);
    const isLast = page * PAGE >= this.posts.length;
    const posts = this.posts.slice((page - 1) * PAGE, page * PAGE);
    const answer = json({ posts, next_page: isLast ? null : String(page + 1) });
    const after = page === 2 ? this.holds : null;
    if (after === null) return answer;
    this.holds = null;
    this.heldPages += 1;
    return { ...answer, after };
  }
}

describe('the reader of a site that is read again and again', () => {
  let sites: Sites;
  let service: TestApplication;
  let database: pg.Client;
  let workspace: TestWorkspace;
  const readers: StreamReader[] = [];

  beforeAll(async () => {
    sites = await Sites.start();
    const { url } = sites.server;
    service = await startTestApplication({
      ROLES: 'api,worker,scheduler',
      SOURCE_SITES: `${PIEFED}=${url},${CLOSED}=${url}`,
      SOURCE_REQUESTS_PER_MINUTE: '1000000',
    });
    database = await connect(service.environment.DATABASE_URL!);
    workspace = await service.createWorkspace();
  });
  afterAll(async () => {
    await Promise.all(readers.map((reader) => reader.beforeApplicationShutdown()));
    await database?.end();
    await sites?.server.close();
  });

  const listenTo = async (source: string): Promise<string> => {
    const body = { name: source, query: 'heron', listen: [source], channel_config: { to: 'a@example.com' } };
    const { body: created } = await requestAs(service, workspace, 'POST', '/alerts').send(body).expect(201);
    return (created as { id: string }).id;
  };
  const listening = async (id: string) => {
    const { body } = await requestAs(service, workspace, 'GET', `/alerts/${id}/listening`).expect(200);
    return (
      body as { sources: { state: string; since: string | null; read: number; matched: number; gaps: [] }[] }
    ).sources[0]!;
  };
  const cursor = async (source: string) =>
    (
      await database.query<{ holder: string | null; refusal: string | null; newestAt: Date | null }>(
        'SELECT holder, refusal, newest_at AS "newestAt" FROM stream_cursors WHERE source = $1',
        [source],
      )
    ).rows[0];
  const startReader = (transactions: Pick<RetryingTransactions, 'run'>): void => {
    const reader = new StreamReader(
      service.get(Platforms),
      service.get(StreamsRepository),
      service.get(HeardStore),
      transactions as RetryingTransactions,
      new MetricsRegistry(),
    );
    readers.push(reader);
    reader.onApplicationBootstrap();
  };

  it('says why a Mastodon site refuses its open timeline without a login', async () => {
    const id = await listenTo(`mastodon:${CLOSED}`);
    expect(
      await until(
        () => listening(id),
        ({ state }) => state === 'refused',
      ),
    ).toMatchObject({
      read: 0,
      gaps: [{ reason: expect.stringMatching(`${CLOSED} shows .*only to its members`) as string }],
    });
    await requestAs(service, workspace, 'DELETE', `/alerts/${id}`).expect(200);
  });

  it('is replaced in the middle of a pass, and nothing is lost or heard twice', async () => {
    const source = `lemmy:${PIEFED}`;
    await service.get(StreamReader).beforeApplicationShutdown();
    const transactions = service.get(RetryingTransactions);
    // A process that stands still stores nothing and renews no lease.
    let standing = Promise.resolve();
    startReader({
      run: async (signal, work) => {
        await standing;
        return transactions.run(signal, work);
      },
    });
    const id = await listenTo(source);
    await until(
      () => cursor(source),
      (found) => found?.newestAt != null,
    );
    const first = (await cursor(source))!.holder;
    let goOn = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (goOn = resolve));
    sites.holdSecondPage(isOver);
    sites.write(POSTS);
    await until(() => sites.isHeld);
    standing = isOver;
    await database.query(
      `UPDATE stream_cursors SET lease_until = clock_timestamp() - interval '1 second' WHERE source = $1`,
      [source],
    );
    startReader(transactions);
    const read = { read: POSTS, matched: POSTS, gaps: [] };
    expect(
      await until(
        () => listening(id),
        ({ matched }) => matched >= POSTS,
      ),
    ).toMatchObject(read);
    const { holder } = (await cursor(source))!;
    expect(holder).not.toBe(first);

    // The first process comes to itself with the texts of its pass.
    goOn();
    const again = new Date();
    await until(
      () => cursor(source),
      (found) => found!.newestAt! > again,
    );
    expect((await cursor(source))!.holder).toBe(holder);
    expect(await listening(id)).toMatchObject(read);
    const { rows } = await database.query<{ id: string }>(
      'SELECT id FROM heard_texts WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
    const ids = Array.from({ length: POSTS }, (_, index) => `lm_${PIEFED}_${index + 1}`);
    expect(rows.map((row) => row.id).sort()).toEqual(ids.sort());
  });
});
