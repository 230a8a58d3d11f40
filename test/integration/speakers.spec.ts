import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import type { MatchPageDto, SpeakerDto } from '../../src/alerts/triage/match.dto.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, type NewPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';

/** As the contract says. */
const MOST_COUNTED = 200;
const JOB = '00000000-0000-4000-8000-000000000009';
const at = (day: number, hour = 0): Date => new Date(Date.UTC(2026, 0, day, hour));
const SHOP = { url: 'https://shop.example/?coupon=1' };

describe('the authors of matches', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api' });
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    await service.get(AlertsService).create(workspace.workspaceId, { name: 'a', query: 'rust', of: 'all' });
  });
  afterAll(() => service.close());

  const store = (posts: NewPost[], { workspaceId } = workspace) => storePosts(service, workspaceId, posts);
  /** Stores and matches what matches. */
  async function match(post: NewPost, comments = [aComment(0, { body: 'no' })]): Promise<void> {
    await store([post]);
    await storeComments(service, workspace.workspaceId, comments);
    const batch = { posts: [post], comments };
    await service
      .get(TransactionRunner)
      .run((tx) => service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOB, batch, null, tx));
  }
  const matches = async (query = '?view=full') =>
    (await call<MatchPageDto>(service, workspace, 'GET', `/matches${query}`)).matches;
  const speakers = async (): Promise<(SpeakerDto | null | undefined)[]> =>
    (await matches()).map(({ speaker }) => speaker);
  const rust = (overrides: Partial<NewPost> = {}): NewPost =>
    aPost(1, { title: 'Rust', author: 'Ann', createdUtc: at(9), url: null, ...overrides });

  it('are counted over all that the workspace has of them', async () => {
    await store([
      aPost(2, { author: 'ann', createdUtc: at(3, 23), ...SHOP }),
      aPost(3, { author: 'ANN', createdUtc: at(3, 1), ...SHOP }),
    ]);
    await match(rust(), [aComment(1, { author: 'ann', createdUtc: at(2), body: 'Rust' })]);
    const speaker = {
      posts: 3,
      comments: 1,
      first_seen_at: at(2).toISOString(),
      active_days: 3,
      promotional_share: 0.5,
    };
    expect(await speakers()).toEqual([speaker, speaker]);
  });

  it('come with the title of the post that a comment is on', async () => {
    await match(rust({ title: 'Ferris' }), [aComment(1, { postId: rust().id, body: 'Rust' })]);
    const titles = (list: MatchPageDto['matches']) => list.map(({ comment }) => comment?.post?.title);
    expect(titles(await matches())).toEqual(['Ferris']);
    expect(titles(await matches(''))).toEqual([undefined]);
  });

  it('are those of one source, and of this workspace', async () => {
    await store([aPost(2, { id: 'hn_2', author: 'Ann' }), aPost(3, { author: 'Anna' })]);
    await store([rust(), aPost(4, { author: 'Ann' })], await service.createWorkspace());
    await match(rust());
    expect(await speakers()).toMatchObject([{ posts: 1, comments: 0 }]);
  });

  it('are counted up to a limit, and seen first before that', async () => {
    const many = Array.from({ length: MOST_COUNTED + 5 }, (_, number) =>
      aPost(number + 2, { author: 'Ann', createdUtc: at(10 + (number % 3)) }),
    );
    await store([...many, aPost(5_000, { author: 'Ann', createdUtc: at(1), ...SHOP })]);
    await match(rust());
    expect(await speakers()).toMatchObject([
      { posts: MOST_COUNTED, active_days: 3, promotional_share: 0, first_seen_at: at(1).toISOString() },
    ]);
  });

  it('are unknown when their account is gone', async () => {
    await match(rust({ author: '[deleted]' }));
    expect(await speakers()).toEqual([null]);
  });

  it('are shown on request only', async () => {
    await match(rust());
    expect((await matches(''))[0]).not.toHaveProperty('speaker');
  });
});
