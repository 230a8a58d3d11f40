import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { parseQuery } from '../../src/search/query/parse-query.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { queryArbitrary, recordArbitrary } from '../support/query-arbitraries.js';

const SEED = 45;
const POSTS = 500;
const COMMENTS = 1_000;
const QUERIES = 200;
const JOB = '00000000-0000-4000-8000-000000000009';
const PAGE = { after: null, limit: COMMENTS };
const ORDER = { sort_by: 'created_utc', sort_order: 'desc' } as const;

const service = await startTestApplication({ ROLES: 'api', QUOTA_ALERTS: String(QUERIES) });
const { workspaceId } = await service.createWorkspace();

describe('an alert and a search by the same query', () => {
  const records = fc.sample(recordArbitrary, { numRuns: POSTS + COMMENTS, seed: SEED });
  const queries = fc
    .sample(queryArbitrary, { numRuns: 2 * QUERIES, seed: SEED })
    .filter((q) => parseQuery(q).tree !== null)
    .slice(0, QUERIES);
  const posts = records.slice(0, POSTS).map(({ texts, values, numbers, flags }, n) =>
    aPost(n, {
      title: texts.title,
      selftext: texts.text,
      author: String(values.author),
      forum: String(values.forum),
      score: numbers.score!,
      createdUtc: new Date(numbers.created!),
      isNsfw: flags['is:nsfw'] === true,
    }),
  );
  const comments = records.slice(POSTS).map(({ texts, values, numbers }, n) =>
    aComment(n, {
      body: texts.text,
      author: String(values.author),
      forum: String(values.forum),
      score: numbers.score!,
      createdUtc: new Date(numbers.created!),
    }),
  );

  it('agree on every row of a scrape', async () => {
    const alerts = service.get(AlertsService);
    const byId = new Map<string, string>();
    for (const query of queries) {
      const { id } = await alerts.create(workspaceId, { name: 'a', query, of: 'all' });
      byId.set(id.replace('alert_', ''), query);
    }
    await service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts, comments }, null, tx);
    });
    const rows = await service.app.get(DataSource).query<{ alertId: string; ids: string[] }[]>(
      `SELECT alert_id AS "alertId", array_agg(post_id ORDER BY post_id COLLATE "C") AS ids FROM alert_matches
         WHERE workspace_id = $1 GROUP BY alert_id`,
      [workspaceId],
    );
    const matched = new Map(rows.map(({ alertId, ids }) => [alertId, ids]));
    let found = 0;
    for (const [alertId, q] of byId) {
      const ofPosts = await service.get(PostsRepository).list(workspaceId, ['id'], { q }, ORDER, PAGE);
      const ofComments = await service.get(CommentsRepository).list(workspaceId, { q }, ORDER, PAGE);
      const ids = [
        ...ofPosts.rows.map(({ id }) => id),
        ...ofComments.rows.map(({ commentId }) => `comment:${commentId}`),
      ].sort();
      expect([q, matched.get(alertId) ?? []]).toEqual([q, ids]);
      found += ids.length;
    }
    expect(found).toBeGreaterThan(QUERIES);
  }, 240_000);
});
