import type { EntityManager } from 'typeorm';
import { type Removal, Removals } from './removals.js';

const WORKSPACE = '00000000-0000-4000-8000-000000000001';
const TX = {} as EntityManager;

describe('removals', () => {
  let removals: Removals;
  let calls: string[];

  const owner = (table: string, more: Partial<Removal>): Removal => ({
    tables: [table, `${table}_parts`],
    when: 'always',
    ...more,
  });
  const counting = (table: string, matches: number, events?: number): Removal['posts'] => {
    return (workspaceId, ids, tx) => {
      calls.push(`${table} of ${ids.join()}`);
      expect([workspaceId, tx]).toEqual([WORKSPACE, TX]);
      return Promise.resolve({ matches, ...(events !== undefined && { events }) });
    };
  };

  beforeEach(() => {
    removals = new Removals();
    calls = [];
    removals.register(owner('c', { posts: counting('c', 1, 10), comments: counting('c', 2) }));
    removals.register(owner('a', { when: 'erasure', posts: counting('a', 100, 1_000) }));
    removals.register(owner('b', { posts: () => Promise.resolve(), jobs: counting('b', 5, 7) }));
  });

  const remove = (kind: 'posts' | 'comments' | 'jobs', ids: string[], reason: 'erasure' | 'expiry') =>
    removals.remove(WORKSPACE, kind, ids, reason, TX);

  it('run in the order of their tables, whatever the order of their owners', async () => {
    expect(await remove('posts', ['x', 'y'], 'erasure')).toEqual({ matches: 101, events: 1_010 });
    expect(calls).toEqual(['a of x,y', 'c of x,y']);
    expect(removals.tables).toEqual(['a', 'a_parts', 'b', 'b_parts', 'c', 'c_parts']);
  });

  it('leave rows with a retention of their own when records only expire', async () => {
    expect(await remove('posts', ['x'], 'expiry')).toEqual({ matches: 1, events: 10 });
    expect(calls).toEqual(['c of x']);
  });

  it('concern one kind of records', async () => {
    expect(await remove('comments', ['x'], 'erasure')).toEqual({ matches: 2, events: 0 });
    expect(await remove('jobs', ['x'], 'erasure')).toEqual({ matches: 5, events: 7 });
    expect(calls).toEqual(['c of x', 'b of x']);
  });

  it('do nothing without records', async () => {
    expect(await remove('posts', [], 'erasure')).toEqual({ matches: 0, events: 0 });
    expect(calls).toEqual([]);
  });
});
