import { DataSource, type EntityManager } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { ArrivalsRepository } from '../../src/content/arrivals/arrivals.repository.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { until } from '../support/until.js';

interface Event {
  type: string;
  id: string;
  data: { id?: string; comment_id?: string };
}

/** An open stream, whose events are read one after the other; null when it has ended. */
class Stream {
  private text = '';
  private constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  static async open(url: string, apiKey: string, lastEventId?: string): Promise<Stream> {
    const response = await fetch(url, {
      headers: { 'X-API-Key': apiKey, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    return new Stream(response.body!.getReader());
  }

  async next(): Promise<Event | null> {
    while (!this.text.includes('\n\n')) {
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.text += Buffer.from(value).toString();
    }
    const end = this.text.indexOf('\n\n');
    const lines = this.text.slice(0, end).split('\n');
    this.text = this.text.slice(end + 2);
    const field = (name: string): string =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
    return { type: field('event'), id: field('id'), data: JSON.parse(field('data')) as Event['data'] };
  }

  /** The next events that are not heartbeats. */
  async take(count: number): Promise<Event[]> {
    const events: Event[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === null) throw new Error('The stream has ended');
      if (event.type !== 'heartbeat') events.push(event);
    }
    return events;
  }

  close(): Promise<void> {
    return this.reader.cancel();
  }
}

const service = await startTestApplication();

describe('the stream of a saved search', () => {
  let workspace: TestWorkspace;
  let search: { id: string };
  let streams: Stream[] = [];

  beforeEach(async () => {
    workspace = await service.createWorkspace();
    search = await saved({ name: 'Rust', q: 'rust' });
  });
  afterEach(async () => {
    await Promise.all(streams.map((stream) => stream.close()));
    streams = [];
  });

  const saved = async (body: object): Promise<{ id: string }> =>
    (await requestAs(service, workspace, 'POST', '/searches').send(body).expect(201)).body as { id: string };
  const open = async (lastEventId?: string, id = search.id): Promise<Stream> => {
    const stream = await Stream.open(
      service.url + workspace.path(`/searches/${id}/stream`),
      workspace.apiKey,
      lastEventId,
    );
    streams.push(stream);
    return stream;
  };
  const rust = (number: number, title = 'Rust') => ({ ...aPost(number), title });
  const insert = (tx: EntityManager, ...posts: ReturnType<typeof rust>[]) =>
    service.get(PostsRepository).upsert(workspace.workspaceId, posts, tx);
  const store = (...posts: ReturnType<typeof rust>[]) =>
    service.get(TransactionRunner).run((tx) => insert(tx, ...posts));
  /** Stores posts that a stream which begins now does not have, whatever else runs on the database server. */
  const storeBefore = async (...posts: ReturnType<typeof rust>[]): Promise<void> => {
    await store(...posts);
    const [{ xid }] = await service
      .get(DataSource)
      .query<[{ xid: string }]>('SELECT max(xid) AS xid FROM arrivals');
    await until(async () => BigInt(await service.get(ArrivalsRepository).horizon()) > BigInt(xid));
  };
  const numbersOf = (events: Event[]) => events.map(({ data }) => data.id);
  const idOf = (number: number) => aPost(number).id;

  it('begins with the present, and has only new posts that the search finds', async () => {
    await storeBefore(rust(1));
    const stream = await open();
    expect(await stream.next()).toMatchObject({ type: 'heartbeat', data: {} });
    await store(rust(1), rust(2, 'Go'), rust(3));
    const events = await stream.take(1);
    await store({ ...rust(2), title: 'Rust after all' }, rust(4));
    events.push(...(await stream.take(1)));
    expect(events.map(({ type }) => type)).toEqual(['post', 'post']);
    expect(numbersOf(events)).toEqual([idOf(3), idOf(4)]);
    const { body } = await requestAs(service, workspace, 'GET', `/posts/${idOf(3)}`);
    expect(events[0]!.data).toEqual(body);
  });

  it('loses and repeats nothing when a transaction commits after a later one', async () => {
    const stream = await open();
    let commit = (): void => {};
    const committed = new Promise<void>((resolve) => (commit = resolve));
    let begun = (): void => {};
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const early = service.get(TransactionRunner).run(async (tx) => {
      await insert(tx, rust(1));
      begun();
      await committed;
    });
    await isBegun;
    await store(rust(2));
    const resumed = await open((await stream.next())!.id);
    commit();
    await early;
    await store(rust(3));
    for (const one of [stream, resumed]) expect(numbersOf(await one.take(3))).toEqual([1, 2, 3].map(idOf));
  });

  it('is resumed after any event, within and between what transactions stored', async () => {
    const stream = await open();
    const start = (await stream.next())!.id;
    await store(rust(1), rust(2), rust(3));
    await store(rust(4));
    const events = await stream.take(4);
    for (const [index, { id }] of [{ id: start }, ...events].entries()) {
      const resumed = await open(id);
      const left = events.slice(index);
      expect(await resumed.take(left.length)).toEqual(left);
      await store(rust(10 + index));
      expect(numbersOf(await resumed.take(1))).toEqual([idOf(10 + index)]);
      await stream.take(1);
      await service.get(DataSource).query('DELETE FROM arrivals WHERE row_ids = $1', [[idOf(10 + index)]]);
    }
  });

  it('has everything after an event that many transactions follow', async () => {
    const start = (await (await open()).next())!.id;
    const numbers = Array.from({ length: 45 }, (_, n) => n);
    for (const number of numbers) await store(rust(number));
    expect(numbersOf(await (await open(start)).take(45))).toEqual(numbers.map(idOf));
  });

  it.each(['unreadable', `${2n ** 62n}.1.1`, `${2n ** 63n}.1.1`])(
    'begins with the present for the position %s',
    async (lastEventId) => {
      await storeBefore(rust(1));
      const stream = await open(lastEventId);
      await store(rust(2));
      expect(numbersOf(await stream.take(1))).toEqual([idOf(2)]);
    },
  );

  it('has comments of a search of comments', async () => {
    const { id } = await saved({ name: 'Comments', of: 'comments', q: 'rust' });
    const stream = await open(undefined, id);
    const comments = [1, 2].map((number) => ({ ...aComment(number), body: number === 1 ? 'go' : 'rust' }));
    await service
      .get(TransactionRunner)
      .run((tx) => service.get(CommentsRepository).upsert(workspace.workspaceId, comments, tx));
    const [event] = await stream.take(1);
    expect([event!.type, event!.data.comment_id]).toEqual(['comment', comments[1]!.commentId]);
  });

  it('does not have what was deleted before it was sent', async () => {
    const stream = await open();
    const start = (await stream.next())!.id;
    await store(rust(1), rust(2));
    await service
      .get(DataSource)
      .query('DELETE FROM posts WHERE workspace_id = $1 AND id = $2', [workspace.workspaceId, idOf(1)]);
    expect(numbersOf(await (await open(start)).take(1))).toEqual([idOf(2)]);
  });

  it('ends with its search, its key, and is unknown afterwards', async () => {
    const [ofSearch, ofKey] = [await open(), await open(undefined, (await saved({ name: 'b', q: 'b' })).id)];
    await requestAs(service, workspace, 'DELETE', `/searches/${search.id}`).expect(200);
    const ended = async (stream: Stream): Promise<boolean> => {
      while ((await stream.next()) !== null);
      return true;
    };
    expect(await ended(ofSearch)).toBe(true);
    await requestAs(service, workspace, 'GET', `/searches/${search.id}/stream`).expect(404);
    await service
      .get(DataSource)
      .query('UPDATE api_keys SET is_active = false WHERE workspace_id = $1', [workspace.workspaceId]);
    expect(await ended(ofKey)).toBe(true);
  });
});
