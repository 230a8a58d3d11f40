import { DataSource } from 'typeorm';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { UnanalyzedCommentsRepository } from '../../src/content/comments/unanalyzed-comments.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { UnanalyzedPostsRepository } from '../../src/content/posts/unanalyzed-posts.repository.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const POST = aPost(1, { selftext: 'Fine.', sentimentLabel: 'neutral', sentimentScore: 0.1 });
const COMMENT = aComment(1, { sentimentLabel: 'neutral', sentimentScore: 0.1 });
const REANALYZED = { label: 'positive', score: 0.9 } as const;

interface Labelled {
  sentiment_label: string;
  sentiment_score: number;
  sentiment_source: string;
}

interface Kind {
  id: string;
  store: (texts: { gone?: boolean }) => Promise<void>;
  analyze: () => Promise<unknown>;
  overwrite: (text: string) => Promise<unknown>;
}

const service = await startTestApplication({ ROLES: 'api' });

describe.each(['posts', 'comments'] as const)('the sentiment of %s that a person corrected', (of) => {
  let workspace: TestWorkspace;
  let kind: Kind;

  beforeAll(() => {
    const { manager } = service.get(DataSource);
    const at = new Date();
    const analyzed = { language: 'en', scrapedAt: POST.scrapedAt.toISOString() };
    const kinds: Record<typeof of, Kind> = {
      posts: {
        id: POST.id,
        store: ({ gone }) =>
          storePosts(service, workspace.workspaceId, [
            { ...POST, selftext: gone ? '[ Removed by Reddit ]' : 'Fine!' },
          ]),
        analyze: () =>
          service
            .get(UnanalyzedPostsRepository)
            .save(
              workspace.workspaceId,
              [{ ...analyzed, id: POST.id, keywords: [], sentiment: REANALYZED }],
              manager,
            ),
        overwrite: (selftext) =>
          service
            .get(PostsRepository)
            .overwriteGone(workspace.workspaceId, [{ ...POST, author: '[deleted]', selftext }], at, manager),
      },
      comments: {
        id: COMMENT.commentId,
        store: ({ gone }) =>
          storeComments(service, workspace.workspaceId, [{ ...COMMENT, body: gone ? '[deleted]' : 'Fine!' }]),
        analyze: () =>
          service.get(UnanalyzedCommentsRepository).save(
            workspace.workspaceId,
            [
              {
                ...analyzed,
                ...REANALYZED,
                id: String(COMMENT.id),
                scrapedAt: COMMENT.scrapedAt.toISOString(),
              },
            ],
            manager,
          ),
        overwrite: (body) =>
          service
            .get(CommentsRepository)
            .overwriteGone(workspace.workspaceId, [{ ...COMMENT, author: '[deleted]', body }], at, manager),
      },
    };
    kind = kinds[of];
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    await storePosts(service, workspace.workspaceId, [POST]);
    await storeComments(service, workspace.workspaceId, [COMMENT]);
  });

  const correct = (label: string | null) =>
    call<Labelled>(service, workspace, 'PATCH', `/${of}/${kind.id}/sentiment`, { label });
  const shown = async (): Promise<[string, number, string]> => {
    const record = await call<Labelled>(service, workspace, 'GET', `/${of}/${kind.id}?view=full`);
    return [record.sentiment_label, record.sentiment_score, record.sentiment_source];
  };
  const found = async (path: string): Promise<number> =>
    (await call<{ total: number }>(service, workspace, 'GET', `/${of}?${path}`)).total;

  it('is found, counted and exported with the label of the person', async () => {
    expect(await correct('negative')).toMatchObject({
      sentiment_label: 'negative',
      sentiment_source: 'person',
    });
    expect(await shown()).toEqual(['negative', 0.1, 'person']);
    for (const filter of ['sentiment=negative', 'q=sentiment:negative'])
      expect([filter, await found(filter)]).toEqual([filter, 1]);
    expect(await found('sentiment=neutral')).toBe(0);
    const { facets } = await call<{ facets: unknown }>(
      service,
      workspace,
      'GET',
      `/analytics/facets?of=${of}&by=sentiment`,
    );
    expect(JSON.stringify(facets)).toMatch(/"negative".*1/);
    expect(JSON.stringify(facets)).not.toContain('neutral');
    const series = await call<object>(
      service,
      workspace,
      'GET',
      `/analytics/timeseries?of=${of}&interval=day&split_by=sentiment`,
    );
    expect(JSON.stringify(series)).toMatch(/"negative"/);
    const { text } = await requestAs(service, workspace, 'GET', `/exports/${of}`);
    expect(text.trim()).toMatch(/"neutral","person"$/);
    const audit = await service
      .get(DataSource)
      .query<{ action: string }[]>('SELECT action FROM audit_entries');
    expect(audit.map(({ action }) => action)).toContain(
      of === 'posts' ? 'updatePostSentiment' : 'updateCommentSentiment',
    );
  });

  it('stays over scrapes and analyses, and goes back to the newest computed label', async () => {
    await correct('negative');
    await correct('positive');
    await kind.analyze();
    await kind.store({});
    await kind.overwrite('Fine!');
    expect(await shown()).toEqual(['positive', 0.1, 'person']);
    expect(await correct(null)).toMatchObject({ sentiment_label: 'neutral', sentiment_source: 'model' });
    await kind.analyze();
    await correct(null);
    expect((await shown())[2]).toBe('model');
  });

  it.each([
    ['stored', () => kind.store({ gone: true })],
    ['overwritten', () => kind.overwrite('[removed]')],
  ])('is erased with a text that is %s as gone', async (_, erase) => {
    await correct('negative');
    await erase();
    expect(await shown()).toEqual(['neutral', 0.1, 'model']);
  });

  it('is refused for other labels and unknown records', async () => {
    const path = `/${of}/${kind.id}/sentiment`;
    for (const body of [{}, { label: 'angry' }, { label: ['negative'] }])
      expect((await requestAs(service, workspace, 'PATCH', path).send(body)).status).toBe(400);
    expect(
      (await requestAs(service, workspace, 'PATCH', `/${of}/t1_zz9/sentiment`).send({ label: null })).status,
    ).toBe(404);
  });
});
