import { encodeCursor } from '../http/pages/cursor.js';
import { cursorAfter, positionOf } from './list-cursor.js';

const sorted = { segment: true, facet: false, sort: true };
const TABLE = {
  fields: {
    created_utc: { sql: 'created_utc', type: 'timestamptz', ...sorted },
    score: { sql: 'score', type: 'integer', ...sorted },
  },
  orders: {},
} as const;
const SCOPE = {
  list: 'posts',
  workspaceId: '8a1c1d2e-0000-4000-8000-000000000001',
  filter: { forum: 'technology', q: undefined },
  order: { sort_by: 'score', sort_order: 'desc' },
} as const;
/** The inputs of the cursor's checksum. It is not secret, so a client can forge a cursor for any position. */
const QUESTION = ['posts', SCOPE.workspaceId, 'score', 'desc', [['forum', 'technology']]];
const read = (cursor: string | undefined, idType: 'text' | 'bigint') =>
  positionOf(cursor, SCOPE, { ...TABLE, idType });

describe('a cursor of a list', () => {
  it('gives the position after a row, but only for the same query', () => {
    const cursor = cursorAfter({ sortValue: '17', id: 't3_a' }, SCOPE);
    expect(read(cursor, 'text')).toEqual({ value: '17', id: 't3_a' });
    const others = [
      { ...SCOPE, list: 'comments' },
      { ...SCOPE, workspaceId: '8a1c1d2e-0000-4000-8000-000000000002' },
      { ...SCOPE, filter: { forum: 'music' } },
      { ...SCOPE, order: { sort_by: 'created_utc', sort_order: 'desc' } },
      { ...SCOPE, order: { sort_by: 'score', sort_order: 'asc' } },
    ] as const;
    for (const other of others)
      expect(() => positionOf(cursor, other, { ...TABLE, idType: 'text' })).toThrow('cursor');
  });

  it.each([undefined, ''])('is the start of the list when it is %j', (cursor) => {
    expect(read(cursor, 'text')).toBeNull();
  });

  it.each<[idType: 'text' | 'bigint', position: unknown[]]>([
    ['text', ['17', 't3_\0']],
    ['text', ['17', '\ud800']],
    ['text', ['17', 5]],
    ['text', [17, 't3_a']],
    ['text', ['yesterday', 't3_a']],
    ['text', ['17']],
    ['bigint', ['17', 't1_a']],
    ['bigint', ['17', '-1']],
    ['bigint', ['17', '']],
    ['bigint', ['17', '9223372036854775808']],
  ])('is refused for ids of type %s when forged from %j', (idType, position) => {
    expect(() => read(encodeCursor(position, QUESTION), idType)).toThrow('cursor');
  });

  it('is accepted when forged from a position that a row can have', () => {
    const position = { value: '-2147483647', id: '999999999999999999' };
    expect(read(encodeCursor(Object.values(position), QUESTION), 'bigint')).toEqual(position);
  });
});
