import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../../src/alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../../src/content/comments/comments.repository.js';
import type { PostRecord } from '../../../src/content/posts/post.entity.js';
import { aComment } from '../../factories/comments.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { call } from '../../support/client.js';
import { type QueryCase, readCases, withCases } from '../../support/query-cases.js';

const JOB = '00000000-0000-4000-8000-000000000009';

/** The post of a case; its flair is its number. */
function postOf({ fields, title, text }: QueryCase, number: number): Omit<PostRecord, 'workspaceId'> {
  return aPost(number, {
    title,
    selftext: text,
    author: fields.author ?? 'ann',
    forum: fields.forum ?? 'chess',
    score: Number(fields.score ?? 1),
    numComments: Number(fields.comments ?? 0),
    isNsfw: fields.nsfw === 'true',
    postType: (fields.type ?? 'self') as PostRecord['postType'],
    sentimentLabel: (fields.sentiment ?? 'neutral') as PostRecord['sentimentLabel'],
    createdUtc: new Date(fields.created ?? '2026-01-01T00:00:00Z'),
    flair: `case${number}`,
  });
}

withCases.describe('the shared cases', () => {
  let cases: QueryCase[];
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    cases = readCases();
    service = await startTestApplication({ QUOTA_ALERTS: String(cases.length) });
    workspace = await service.createWorkspace();
    await storePosts(service, workspace.workspaceId, cases.map(postOf));
    const { manager } = service.app.get(DataSource);
    const comments = cases.map(({ text }, number) =>
      aComment(number, { body: text, postId: `t3_case${number}` }),
    );
    await service.get(CommentsRepository).upsert(workspace.workspaceId, comments, manager);
  });

  const total = async (path: string): Promise<number> =>
    (await call<{ total: number }>(service, workspace, 'GET', path)).total;

  it('have the right answer in the list of posts', async () => {
    for (const [number, { q, text, match }] of cases.entries()) {
      const found = await total(`/posts?flair=case${number}&q=${encodeURIComponent(q)}`);
      expect([text, q, found === 1]).toEqual([text, q, match]);
    }
  });

  it('have the right answer in the list of comments', async () => {
    for (const [number, { q, text, match, fields }] of cases.entries()) {
      if (Object.keys(fields).length > 0) continue;
      const found = await total(`/comments?post_id=t3_case${number}&q=${encodeURIComponent(q)}`);
      expect([text, q, found === 1]).toEqual([text, q, match]);
    }
  });

  it('are explained in a form that finds the same', async () => {
    for (const [number, { q, text, match }] of cases.entries()) {
      const path = `/search/explain?of=posts&q=${encodeURIComponent(q)}`;
      const { query } = await call<{ query: string }>(service, workspace, 'GET', path);
      const found = await total(`/posts?flair=case${number}&q=${encodeURIComponent(query)}`);
      expect([text, query, found === 1]).toEqual([text, query, match]);
    }
  });

  it('have the right answer in the preview of an alert', async () => {
    for (const [number, { q, text, match }] of cases.entries()) {
      const { matches } = await call<{ matches: { post_id: string }[] }>(
        service,
        workspace,
        'POST',
        '/alerts/preview',
        { query: q, of: 'posts' },
      );
      const isFound = matches.some(({ post_id }) => post_id === postOf(cases[number]!, number).id);
      expect([text, q, isFound]).toEqual([text, q, match]);
    }
  });

  it('have the right answer in an alert when their posts are stored', async () => {
    const created = [];
    for (const { q } of cases)
      created.push(
        await call<{ id: string }>(service, workspace, 'POST', '/alerts', { name: 'case', query: q }),
      );
    await service
      .get(TransactionRunner)
      .run((tx) =>
        service
          .get(AlertMatchingService)
          .matchBatch(workspace.workspaceId, JOB, { posts: cases.map(postOf) }, null, tx),
      );
    for (const [number, { q, text, match }] of cases.entries()) {
      const path = `/alerts/${created[number]!.id}/matches?limit=100`;
      const { matches } = await call<{ matches: { post_id: string }[] }>(service, workspace, 'GET', path);
      const isFound = matches.some(({ post_id }) => post_id === postOf(cases[number]!, number).id);
      expect([text, q, isFound]).toEqual([text, q, match]);
    }
  });
});
