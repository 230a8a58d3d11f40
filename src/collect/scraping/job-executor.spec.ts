import { Logger } from '@nestjs/common';
import { anExecution } from '../../../test/factories/executions.js';
import type { ListingPage, PlatformPost } from '../../platforms/platform.js';
import type { CommentBatch, PostBatch } from './batch-writer.js';
import { JobExecutor } from './job-executor.js';
import { START } from './listing-checkpoint.js';
import { withFakes } from '../../../test/support/with-fakes.js';

const GIB = 1_024 ** 3;

const aPost = (number: number, changes: Partial<PlatformPost> = {}): PlatformPost =>
  ({
    id: `t3_${number}`,
    permalink: `/comments/${number}/`,
    title: 'A title',
    selftext: '',
    createdUtc: new Date(0),
    numComments: 1,
    mediaUrls: [],
    media: [],
    ...changes,
  }) as PlatformPost;

describe('JobExecutor', () => {
  let page: ListingPage;
  let bytes: number;
  let suppressed: string[];
  let left: { trees: string[]; media: string[]; posts: string[] };
  let batches: PostBatch[];
  let walked: string[];
  let done: string[];
  let fetched: string[];
  let ended: [string, boolean][];
  let executor: JobExecutor;

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => {
    page = { posts: [], after: null };
    bytes = 0;
    suppressed = [];
    left = { trees: [], media: [], posts: [] };
    batches = [];
    walked = [];
    done = [];
    fetched = [];
    ended = [];
    const platform = {
      source: 'reddit',
      listings: ['new'],
      listingCap: null,
      archive: null,
      fetchListing: () => Promise.resolve(page),
      // eslint-disable-next-line @typescript-eslint/require-await
      async *walkComments({ id }: { id: string }) {
        walked.push(id);
        yield { comments: [], missing: 0 };
      },
    };
    executor = withFakes(
      JobExecutor,
      { of: (target: object) => ({ platform, target }) },
      {
        languageOfPost: () => ({ language: 'und', probability: 0 }),
        tokensOf: () => [],
        sentimentOf: () => ({ score: 0, label: 'neutral' }),
        phrasesOf: () => ({ keywords: [], phraseKeys: new Uint32Array() }),
      },
      { read: () => Promise.resolve(undefined) },
      {},
      {
        findTrees: (_w: string, ids: string[]) =>
          Promise.resolve(ids.map((id) => ({ id, forum: 'a', permalink: '/', numComments: 1 }))),
      },
      {},
      {
        storedPosts: () => Promise.resolve(left.posts),
        pendingTrees: () => Promise.resolve(left.trees),
        pendingMedia: () =>
          Promise.resolve(
            left.media.map((url) => ({ postId: 't3_1', url, audioUrls: [], fallbackUrl: null })),
          ),
        downloadedBytes: () => Promise.resolve(bytes),
      },
      {
        writePosts: (_execution: object, batch: PostBatch) => {
          batches.push(batch);
          return Promise.resolve(batch.media);
        },
        writeComments: (_execution: object, { trees }: CommentBatch) =>
          Promise.resolve(void done.push(...trees.filter((tree) => tree.done).map(({ postId }) => postId))),
        writeMedia: (_execution: object, { url }: { url: string }, file: object | null) =>
          Promise.resolve(void ended.push([url, file !== null])),
      },
      {
        fetch: (_w: string, { url }: { url: string }) => {
          fetched.push(url);
          return Promise.resolve({ file: { size: 1 }, isNew: true });
        },
      },
      { of: (_w: string, served: { platform: object }) => Promise.resolve(served.platform) },
      {
        allowedNow: (_w: string, posts: PostBatch['posts']) =>
          Promise.resolve(posts.filter(({ row }) => !suppressed.includes(row.id))),
      },
    );
  });

  const idsOf = ({ posts }: PostBatch): string[] => posts.map(({ row }) => row.id);

  it('continues with the trees and files that an earlier execution left', async () => {
    left = { trees: ['t3_1', 't3_2'], media: ['one', 'two'], posts: ['t3_1', 't3_2'] };
    await executor.execute(anExecution({}, { checkpoint: { ...START, stopReason: 'end_of_listing' } }));
    expect([batches, done, ended]).toEqual([
      [],
      ['t3_1', 't3_2'],
      [
        ['one', true],
        ['two', true],
      ],
    ]);
  });

  it('starts no download once the job has downloaded 20 GiB', async () => {
    left.media = ['one'];
    bytes = 20 * GIB;
    await executor.execute(anExecution({}, { checkpoint: { ...START, stopReason: 'end_of_listing' } }));
    expect([fetched, ended]).toEqual([[], [['one', false]]]);
  });

  it('stores only as many posts as the job has room for', async () => {
    left.posts = ['t3_1'];
    page = { posts: [1, 2, 3, 4].map((number) => aPost(number)), after: 'next' };
    await executor.execute(anExecution({ postLimit: 3, postsScraped: 1 }));
    expect(batches).toHaveLength(1);
    expect(idsOf(batches[0]!)).toEqual(['t3_2', 't3_3']);
    expect(batches[0]).toMatchObject({ firstPosition: 1, checkpoint: { stopReason: 'limit' } });
    expect(walked).toEqual(['t3_2', 't3_3']);
  });

  it.each([
    ['at once', [], 0],
    ['after it has resumed', ['t3_1'], 1],
  ])('counts no suppressed post for the limit, %s', async (_, stored, postsScraped) => {
    suppressed = ['t3_1', 't3_3'].filter((id) => !stored.includes(id));
    left.posts = stored;
    page = { posts: [1, 2, 3, 4, 5].map((number) => aPost(number)), after: 'next' };
    await executor.execute(anExecution({ postLimit: 2 + postsScraped, postsScraped }));
    expect(batches.map(idsOf)).toEqual([['t3_2', 't3_4']]);
    expect(walked).toEqual(['t3_2', 't3_4']);
  });

  it('counts posts that were erased since they were stored for the limit', async () => {
    page = { posts: [1, 2, 3, 4].map((number) => aPost(number)), after: 'next' };
    await executor.execute(anExecution({ postLimit: 3, postsScraped: 1 }));
    expect(batches.map(idsOf)).toEqual([['t3_1', 't3_2']]);
  });

  it('walks no tree of a post without comments or a job without comments', async () => {
    page = { posts: [aPost(1, { numComments: 0 }), aPost(2)], after: null };
    await executor.execute(anExecution());
    expect([[...batches[0]!.treesPending], walked]).toEqual([['t3_2'], ['t3_2']]);
    await executor.execute(anExecution({ scrapeComments: false }));
    expect([[...batches[1]!.treesPending], walked]).toEqual([[], ['t3_2']]);
  });

  it('downloads at most fifty files of a post, and none for a job without media', async () => {
    const media = Array.from({ length: 60 }, (_, n) => ({
      kind: 'image' as const,
      url: `${n}`,
      audioUrl: null,
    }));
    page = { posts: [aPost(1, { media })], after: null };
    await executor.execute(anExecution());
    expect(ended).toHaveLength(50);
    await executor.execute(anExecution({ downloadMedia: false }));
    expect(batches[1]!.media).toEqual([]);
  });

  it('rejects when a batch fails, after its parts have stopped', async () => {
    page = { posts: [aPost(1)], after: null };
    executor['writer'].writePosts = () => Promise.reject(new Error('full'));
    await expect(executor.execute(anExecution())).rejects.toThrow('full');
    expect(done).toEqual([]);
  });
});
