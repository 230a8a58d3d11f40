import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { StoriesRepository } from '../../src/alerts/stories/stories.repository.js';
import type { MatchPageDto } from '../../src/alerts/triage/match.dto.js';
import { aComment } from '../factories/comments.js';
import { aPost, type NewPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';

const JOBS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const LINK = { title: 'Rust 2.0 is out', selftext: '', url: 'https://www.example.org/rust?utm_source=a' };
const TEXT =
  'Rust is the language in which we wrote the whole service last year, and this is what we learned from it while many people used it every day.';

const service = await startTestApplication({ ROLES: 'api' });

describe('reposts of a story', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const create = (fold_duplicates?: boolean, keyword = 'rust') =>
    service
      .get(AlertsService)
      .create(workspace.workspaceId, { name: 'a', keywords: [keyword], of: 'all', fold_duplicates });
  async function store(job: number, ...posts: NewPost[]): Promise<void> {
    await storePosts(service, workspace.workspaceId, posts);
    await service
      .get(TransactionRunner)
      .run((tx) =>
        service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOBS[job]!, { posts }, null, tx),
      );
  }
  /** Matches of the inbox with their duplicates, by post; and the posts of all events. */
  async function shown(): Promise<{ inbox: Record<string, number>; notified: string[] }> {
    const { matches, total } = await call<MatchPageDto>(service, workspace, 'GET', '/matches');
    expect(matches).toHaveLength(total);
    const events = await service.app.get(DataSource).query<{ ids: string[] }[]>(
      `SELECT jsonb_path_query_array(data, '$.posts[*] ? (!exists (@.is_duplicate)).id') AS ids FROM outbox_events
       WHERE workspace_id = $1 ORDER BY created_at, id`,
      [workspace.workspaceId],
    );
    const inbox = Object.fromEntries(matches.map(({ post, duplicates }) => [post!.id, duplicates]));
    return { inbox, notified: events.flatMap(({ ids }) => ids) };
  }
  const id = (number: number) => aPost(number).id;

  it('are folded into the first match, in one batch and across jobs', async () => {
    await create();
    await store(
      0,
      aPost(1, LINK),
      aPost(2, { ...LINK, forum: 'elsewhere', url: 'https://example.org/rust/' }),
    );
    await store(1, aPost(3, { ...LINK, title: 'Rust 2.0 released', url: 'http://m.example.org/rust#top' }));
    await store(1, aPost(4, { title: 'Rust', selftext: '', url: aPost(1).permalink }));
    expect(await shown()).toEqual({ inbox: { [id(1)]: 3 }, notified: [id(1)] });
  });

  it('are recognised by copied texts with changes', async () => {
    await create();
    await store(0, aPost(1, { title: 'What we learned', selftext: TEXT, url: null }));
    await store(1, aPost(2, { title: 'Lessons', selftext: TEXT.replace('last year', 'in 2025'), url: null }));
    await store(1, aPost(3, { title: 'Rust', selftext: `${TEXT.slice(0, 60)}.`, url: null }));
    expect(await shown()).toEqual({ inbox: { [id(1)]: 1, [id(3)]: 0 }, notified: [id(1), id(3)] });
  });

  it('are not folded into what an alert has folded, though another alert shows it', async () => {
    await create();
    await create(true, 'bridge');
    await store(0, aPost(1, LINK));
    await store(1, aPost(2, { ...LINK, title: 'Rust, a bridge', selftext: TEXT }));
    await store(1, aPost(3, { title: 'What we learned', selftext: TEXT, url: null }));
    expect((await shown()).inbox).toEqual({ [id(1)]: 1, [id(2)]: 0, [id(3)]: 0 });
  });

  it('are not folded when the title is translated, or the alert does not want it', async () => {
    const german = { ...LINK, title: 'Warum die Sprache Rust noch immer nicht so wichtig für die Leute ist' };
    const english = { ...LINK, title: 'Why the language Rust is still not so important for the people' };
    await create();
    await store(0, aPost(1, english));
    await store(0, aPost(2, german));
    expect((await shown()).notified).toEqual([id(1), id(2)]);
    workspace = await service.createWorkspace();
    await create(false);
    await store(0, aPost(1, english), aPost(2, english));
    expect(await shown()).toEqual({ inbox: { [id(1)]: 0, [id(2)]: 0 }, notified: [id(1), id(2)] });
  });

  it('are matches of their own after seven days, when their keys are deleted', async () => {
    await create();
    await store(0, aPost(1, LINK));
    const database = service.app.get(DataSource);
    const before = (column: string): string =>
      `(${column} AT TIME ZONE 'UTC' - interval '8 days') AT TIME ZONE 'UTC'`;
    await database.query(`UPDATE alert_matches SET matched_at = ${before('matched_at')}`);
    await database.query(`UPDATE alert_story_keys SET stored_at = ${before('stored_at')}`);
    await store(1, aPost(2, LINK));
    expect((await shown()).inbox).toEqual({ [id(1)]: 0, [id(2)]: 0 });
    await service.get(StoriesRepository).deleteExpired(1_000);
    const left = await database.query('SELECT DISTINCT record_id AS id FROM alert_story_keys');
    expect(left).toEqual([{ id: id(2) }]);
  });

  it('are folded for comments, too', async () => {
    await create();
    const comments = [1, 2].map((number) => aComment(number, { body: TEXT }));
    await service
      .get(TransactionRunner)
      .run((tx) =>
        service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOBS[0]!, { comments }, null, tx),
      );
    const { matches } = await call<MatchPageDto>(service, workspace, 'GET', '/matches');
    expect(matches.map(({ duplicates }) => duplicates)).toEqual([1]);
  });
});
