import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { selectPart } from '../../src/takeout/exports/export-executor.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { requestAs } from '../support/client.js';

const JOB = '00000000-0000-4000-8000-000000000009';

const service = await startTestApplication({ ROLES: 'api' });
const workspace = await service.createWorkspace();

describe('exports of what alerts matched', () => {
  beforeAll(async () => {
    const { workspaceId } = workspace;
    await post('/alerts', { name: 'a', query: 'text:one OR text:two OR text:three', of: 'all' }).expect(201);
    const texts = ['one', 'two', 'three', 'other'];
    const posts = texts.map((selftext, n) => ({ ...aPost(n), selftext }));
    const comments = texts.map((body, n) => ({ ...aComment(n), body, forum: 'technology' }));
    await service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      const alerts = service.get(AlertMatchingService);
      await alerts.matchBatch(workspaceId, JOB, { posts, comments }, null, tx);
    });
    const { body } = await requestAs(service, workspace, 'GET', '/matches?limit=100').expect(200);
    const { matches } = body as {
      matches: { id: string; post?: { selftext: string }; comment?: { body: string } }[];
    };
    expect(matches).toHaveLength(6);
    for (const { id, post: matched, comment } of matches) {
      const text = matched?.selftext ?? comment!.body;
      const change = { state: text === 'two' ? 'seen' : 'kept', labels: text === 'one' ? ['reply'] : [] };
      await requestAs(service, workspace, 'PATCH', `/matches/${id}`).send(change).expect(200);
    }
  });

  const post = (path: string, body: object) => requestAs(service, workspace, 'POST', path).send(body);
  const streamed = async (kind: string, query: string): Promise<string[]> => {
    const { text } = await requestAs(
      service,
      workspace,
      'GET',
      `/exports/${kind}?format=ndjson&${query}`,
    ).expect(200);
    const rows = text.split('\n').filter(Boolean);
    return rows
      .map((row) => JSON.parse(row) as { selftext?: string; body?: string })
      .map((row) => row.selftext ?? row.body!)
      .sort();
  };
  const written = async (kind: 'posts' | 'comments', filters: Record<string, unknown>): Promise<string[]> => {
    const { workspaceId } = workspace;
    const { text, parameters } = selectPart({ workspaceId, kind, filters, changedSince: null }, null);
    const column = kind === 'posts' ? 'selftext' : 'body';
    const rows = await service.app.get(DataSource).query<Record<string, string>[]>(text, parameters);
    return rows.map((row) => row[column]!).sort();
  };

  it.each([
    [{ state: 'kept' }, ['one', 'three']],
    [{ state: 'seen' }, ['two']],
    [{ label: 'reply' }, ['one']],
    [{ state: 'seen', label: 'reply' }, []],
  ])('have the rows with a match of %j', async (filters, expected) => {
    const query = new URLSearchParams(filters as Record<string, string>).toString();
    for (const kind of ['posts', 'comments'] as const) {
      expect(await streamed(kind, query)).toEqual(expected);
      expect(await written(kind, filters)).toEqual(expected);
    }
  });

  it('combine these filters with those of the list', async () => {
    expect(await streamed('posts', 'state=kept&q=one&sort_by=relevance')).toEqual(['one']);
    const { body } = await post('/exports', {
      of: 'posts',
      format: 'csv',
      filters: { state: 'kept' },
    }).expect(201);
    expect((body as { filters: object }).filters).toEqual({ state: 'kept' });
  });

  it('refuse them in incremental exports and saved searches', async () => {
    const { body } = await post('/exports', { of: 'posts', format: 'csv', filters: {} }).expect(201);
    const incremental = {
      of: 'posts',
      format: 'csv',
      filters: { label: 'a' },
      incremental_from: (body as { id: string }).id,
    };
    const fieldsOf = (answer: { body: { errors: { field: string }[] } }) =>
      answer.body.errors.map(({ field }) => field);
    expect(fieldsOf(await post('/exports', incremental).expect(400))).toEqual(['incremental_from']);
    const saved = { name: 'a', filters: { state: 'kept' } };
    expect(fieldsOf(await post('/searches', saved).expect(400))).toEqual(['filters.state']);
  });
});
