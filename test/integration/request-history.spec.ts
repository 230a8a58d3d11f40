import { readEvents } from '../../clients/typescript/src/event-stream.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { historyViolations, RequestHistory, streamViolations } from '../support/request-history.js';
import { until } from '../support/until.js';

const BATCHES = 20;
const BATCH = 10;
const READS = 60;
const SEARCHES = 25;

interface Created {
  id: string;
}

const first = await startTestApplication({ ROLES: 'api,worker,scheduler' });
const { DATABASE_URL, DATABASE_REQUEST_URL, REDIS_URL, DATA_DIR } = first.environment;
const second = await startTestApplication({
  ...{ DATABASE_URL: DATABASE_URL!, REDIS_URL: REDIS_URL!, DATA_DIR },
  ...(DATABASE_REQUEST_URL && { DATABASE_REQUEST_URL }),
});

describe('the history of requests to two instances on one database', () => {
  const history = new RequestHistory();
  /** The ids that a stream sent. */
  const sent: string[] = [];
  let stored: string[];

  beforeAll(async () => {
    const workspace = await first.createWorkspace();
    const turns = (turn: number) => (turn % 2 === 0 ? first : second);
    const read = <T>(turn: number, path: string) => call<T>(turns(turn), workspace, 'GET', path);

    const { id: search } = await call<Created>(first, workspace, 'POST', '/searches', {
      name: 'Minutes',
      q: 'minute',
    });
    const stream = await fetch(second.url + workspace.path(`/searches/${search}/stream`), {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    const events = readEvents(stream.body!);
    const follow = async (): Promise<void> => {
      for await (const { type, data } of events)
        if (type === 'post') sent.push((JSON.parse(data) as Created).id);
    };

    const storeRows = async (): Promise<void> => {
      for (let batch = 0; batch < BATCHES; batch += 1)
        await storePosts(
          turns(batch),
          workspace.workspaceId,
          Array.from({ length: BATCH }, (_, index) => aPost(batch * BATCH + index)),
        );
    };
    const readTotals = async (list: string): Promise<void> => {
      for (let turn = 0; turn < READS; turn += 1)
        await history.observe(
          `reader of ${list}`,
          () => read<{ total: number }>(turn, list),
          ({ total }) => ({ kind: 'total', list, total }),
        );
    };
    const writeAndRead = async (client: string): Promise<void> => {
      for (let turn = 0; turn < SEARCHES; turn += 1) {
        const { id: key } = await history.observe(
          client,
          () =>
            call<Created>(turns(turn), workspace, 'POST', '/searches', { name: `${client} ${turn}`, q: 'a' }),
          ({ id }) => ({ kind: 'write', list: 'searches', key: id }),
        );
        await history.observe(
          client,
          () => read<Created[]>(turn + 1, '/searches'),
          (all) => ({ kind: 'read', list: 'searches', key, isFound: all.some(({ id }) => id === key) }),
        );
      }
    };
    /** The stream has no post with an odd number. */
    const erase = async (number: number): Promise<void> => {
      const { id } = aPost(number);
      await until(() => read(number, `/posts/${id}`).then(Boolean, () => false));
      await history.observe(
        'eraser',
        async () => {
          const erasure = await call<Created>(turns(number), workspace, 'DELETE', `/posts/${id}`);
          await until(
            () => read<{ status: string }>(number, `/erasures/${erasure.id}`),
            ({ status }) => status === 'completed',
          );
        },
        () => ({ kind: 'deletion', list: '/posts?limit=1', key: id }),
      );
    };

    const following = follow();
    await Promise.all([
      storeRows(),
      ...['/posts?limit=1', '/posts?limit=1&q=minute', '/posts?limit=1&forum=programming&q=post+-minute'].map(
        readTotals,
      ),
      ...['one', 'two'].map(writeAndRead),
      erase(21),
    ]);
    stored = (await read<{ posts: Created[] }>(0, '/posts?q=minute&limit=200')).posts.map(({ id }) => id);
    await until(() => sent.length >= stored.length);
    await events.return(undefined);
    await following;
  });

  it('has no total that goes back, and every client finds what it wrote', () => {
    expect(history.observations.filter(({ kind }) => kind === 'total')).toHaveLength(3 * READS);
    expect(history.observations.filter(({ kind }) => kind === 'read')).toHaveLength(2 * SEARCHES);
    expect(historyViolations(history.observations)).toEqual([]);
  });

  it('has a stream that equals its table', () => {
    expect(stored).toHaveLength((BATCHES * BATCH) / 2);
    expect(streamViolations({ name: 'minutes', sent, stored })).toEqual([]);
  });
});
