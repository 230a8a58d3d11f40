import { type DeletedBatch, Expiries } from '../../tenants/ports/expiries.js';
import { ExpiredRecords } from './expired-records.js';
import { withFakes } from '../../../test/support/with-fakes.js';

const BEFORE = new Date('2026-06-30T12:00:00Z');
const LAST = { time: 'last', id: 't1_last' };

describe('ExpiredRecords', () => {
  /** The posts found, those still expired when locked, and how many comments they have. */
  let found: string[];
  let locked: string[];
  let comments: number;
  let examined: number;
  let deleted: [string, unknown][];

  beforeEach(() => void (deleted = []));

  function run(kind: 'posts' | 'comments'): Promise<DeletedBatch> {
    const record = (what: string) => (given: unknown) => Promise.resolve(void deleted.push([what, given]));
    const expiries = new Expiries();
    withFakes(
      ExpiredRecords,
      { run: (work: (tx: object) => Promise<unknown>) => work({}) },
      {
        find: () => Promise.resolve(found),
        lock: () => Promise.resolve(locked),
      },
      {
        deleteOfPosts: async (_w: string, ids: string[]) => {
          await record('comments')(ids);
          return Array.from({ length: comments }, (_, number) => `t1_${number}`);
        },
        deleteBatch: () => Promise.resolve({ examined, deleted: ['t1_1', 't1_2'], last: LAST }),
      },
      {
        removeFiles: () => Promise.resolve([]),
        forgetFiles: () => Promise.resolve(0),
        removeOfComments: () => Promise.resolve(),
        removePosts: async (_w: string, ids: string[]) => {
          await record('posts')(ids);
          return { posts: ids.length, media: 0 };
        },
      },
      expiries,
    );
    return expiries.delete({ workspaceId: 'w', kind, before: BEFORE, after: null });
  }

  it('deletes only posts that are still expired when they are locked', async () => {
    [found, locked, comments] = [['t3_1', 't3_2'], ['t3_2'], 0];
    expect(await run('posts')).toEqual({ deleted: 1, isMore: false, after: null });
    expect(deleted).toEqual([
      ['comments', ['t3_2']],
      ['posts', ['t3_2']],
    ]);
  });

  it('keeps posts until all of their comments are deleted', async () => {
    [found, locked, comments] = [['t3_1'], ['t3_1'], 500];
    expect(await run('posts')).toMatchObject({ deleted: 0, isMore: true });
    expect(deleted).toEqual([['comments', ['t3_1']]]);
    comments = 499;
    expect(await run('posts')).toMatchObject({ deleted: 1, isMore: false });
  });

  it('continues after 100 posts, and after 2,000 examined comments', async () => {
    found = locked = Array.from({ length: 100 }, (_, number) => `t3_${number}`);
    comments = 0;
    expect(await run('posts')).toEqual({ deleted: 100, isMore: true, after: null });
    examined = 2_000;
    expect(await run('comments')).toEqual({ deleted: 2, isMore: true, after: LAST });
    examined = 1_999;
    expect(await run('comments')).toMatchObject({ deleted: 2, isMore: false });
  });
});
