import { InProcessRequestBudget } from '../../src/platforms/http/in-process-request-budget.js';
import type { PlatformComment, PlatformPost, PlatformSession } from '../../src/platforms/platform.js';
import { StackExchangePlatform } from '../../src/platforms/stackexchange/stackexchange-platform.js';
import {
  describeStackExchange,
  expectedThreads,
  recordedQuestions,
  type ReplayOptions,
  StackExchangeReplay,
} from './stackexchange-replay.js';

const session = (): PlatformSession => ({
  signal: new AbortController().signal,
  workspaceId: 'w',
  priority: 'normal',
  onRequest: () => undefined,
});

describeStackExchange('Stack Exchange', () => {
  let replay: StackExchangeReplay;
  let platform: StackExchangePlatform;
  const start = async (options: Partial<ReplayOptions> = {}): Promise<void> => {
    replay = await StackExchangeReplay.start({ questions: recordedQuestions(), ...options });
    platform = new StackExchangePlatform({
      baseUrl: replay.url,
      key: undefined,
      userAgent: 'agent/1.0',
      budget: new InProcessRequestBudget(1_000_000),
    });
  };
  afterEach(async () => {
    await platform.close();
    await replay.stop();
  });

  const walk = async (
    name: string,
    type: 'forum' | 'user' = 'forum',
  ): Promise<{ posts: PlatformPost[]; comments: PlatformComment[]; missing: number }> => {
    const one = session();
    const walked = { posts: [] as PlatformPost[], comments: [] as PlatformComment[], missing: 0 };
    for (let after: string | null = null; ;) {
      const page = await platform.fetchListing(
        { target: { type, name }, name: 'activity', wanted: 9_999 },
        after,
        one,
      );
      walked.posts.push(...page.posts);
      for (const post of page.posts.filter(({ numComments }) => numComments > 0)) {
        let missing = 0;
        for await (const slice of platform.walkComments(post, one)) {
          walked.comments.push(...slice.comments);
          missing = slice.missing;
        }
        walked.missing += missing;
      }
      if (page.after === null) return walked;
      after = page.after;
    }
  };
  it('gives the questions of a tag with their threads in one request', async () => {
    await start();
    const { posts, comments, missing } = await walk('stackoverflow/javascript');
    expect(posts.length).toBeGreaterThan(3);
    expect(comments.map(({ id }) => id).sort()).toEqual(expectedThreads('javascript').comments);
    expect(missing).toBe(0);
    expect(posts.reduce((sum, { numComments }) => sum + numComments, 0)).toBe(comments.length);
    expect(replay.requests).toEqual(['/filters/create', '/questions']);
  });

  it('asks for its filter once, also for jobs that begin together', async () => {
    await start();
    await Promise.all([walk('stackoverflow/javascript'), walk('stackoverflow/git')]);
    await walk('stackoverflow/git');
    expect(replay.requests.filter((path) => path === '/filters/create')).toHaveLength(1);
  });

  it('gives plain texts, decoded names, and comments below what they are about', async () => {
    await start();
    const { posts, comments } = await walk('stackoverflow/javascript');
    expect(posts[0]).toMatchObject({
      forum: 'stackexchange:stackoverflow',
      selftext: 'Why is this so?',
      permalink: expect.stringMatching(/^\/questions\/\d+\//),
    });
    const answer = comments.find(({ id, depth }) => depth === 0 && !id.includes('_c'))!;
    expect(answer).toMatchObject({ body: 'Answer\n\na\n  b', author: "user'1", parentId: answer.postId });
    const about = comments.find(({ parentId }) => parentId === answer.id);
    expect(about).toMatchObject({ depth: 1, body: expect.stringContaining('Comment & x<y') });
  });

  it('reads the answers that a listing leaves out', async () => {
    await start({ nestedAnswers: 1 });
    const { comments, missing } = await walk('stackoverflow/javascript');
    expect(comments.map(({ id }) => id).sort()).toEqual(expectedThreads('javascript').comments);
    expect(missing).toBe(0);
  });

  it('gives the questions of an account', async () => {
    await start();
    const [question] = recordedQuestions().filter(({ owner }) => (owner as { user_id?: number }).user_id);
    const { posts } = await walk(`stackoverflow/${(question!.owner as { user_id: number }).user_id}`, 'user');
    expect(posts.map(({ id }) => id)).toContain(`se_stackoverflow_${question!.question_id}`);
  });

  it('reads beyond the last page for visitors', async () => {
    const [question] = recordedQuestions();
    const questions = Array.from({ length: 2_650 }, (_, at) => ({
      ...question!,
      question_id: 10_000_000 - at,
      tags: ['many'],
      last_activity_date: 1_600_000_000 - at,
      answers: [],
      comments: [],
      answer_count: 0,
      comment_count: 0,
    }));
    await start({ questions });
    const { posts } = await walk('stackoverflow/many');
    expect(new Set(posts.map(({ id }) => id)).size).toBe(2_650);
    expect(replay.violations).toEqual([]);
    expect(replay.requests.length).toBeLessThanOrEqual(1 + 27);
  });

  it('does not call again before the time that an answer asks for', async () => {
    await start({ backoff: 1, nestedAnswers: 0 });
    await walk('stackoverflow/git');
    expect(replay.requests.length).toBeGreaterThan(2);
    expect(replay.violations).toEqual([]);
  });

  it('fails with the remedy when the quota of the day is used up', async () => {
    await start({ quota: 1 });
    await expect(walk('stackoverflow/git')).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/wait another 33635 s\. Set STACKEXCHANGE_KEY/),
    });
  });

  it.each([
    ['nowhere/git', 'forum'],
    ['stackoverflow/no-such-tag', 'forum'],
    ['stackoverflow/999999999', 'user'],
  ] as const)('says that there is no %s', async (name, type) => {
    await start();
    await expect(walk(name, type)).rejects.toMatchObject({ code: 'target_not_found' });
  });

  it('finds what was deleted, also where numbers are equal', async () => {
    const questions = recordedQuestions();
    await start({ questions });
    const { comments } = await walk('stackoverflow/javascript');
    const postIds = questions.slice(0, 10).map(({ question_id }) => `se_stackoverflow_${question_id}`);
    const commentIds = comments.map(({ id }) => id);
    const { lookup } = platform;
    expect(await lookup.findGonePosts(postIds, session())).toEqual([]);
    expect(await lookup.findGoneComments(commentIds, '', session())).toEqual([]);
    const asked = questions.find(({ tags, answers }) => tags.includes('javascript') && answers.length > 0)!;
    const [gone] = asked.answers.splice(0, 1);
    const after = await lookup.findGoneComments(commentIds, '', session());
    const number = String(gone!.answer_id);
    expect(after.map(({ id }) => id).sort()).toEqual([
      `se_stackoverflow_${number}`,
      `se_stackoverflow_c${number}`,
    ]);
    questions.splice(0, 1);
    expect((await lookup.findGonePosts(postIds, session())).map(({ id }) => id)).toEqual(postIds.slice(0, 1));
  });
});
