import { jest } from '@jest/globals';
import { ChangeList, ChangeLists } from './change-lists.js';
import { SegmentIds } from '../format/segment-blocks.js';

const idsOf = (...ids: string[]): SegmentIds => SegmentIds.decode(SegmentIds.encode(ids));

describe('a list of changes', () => {
  it('finds its rows in each segment, on every call', () => {
    const list = new ChangeList(['d', 'a', 'x']);
    const [one, other] = [idsOf('a', 'b', 'c', 'd'), idsOf('b', 'x')];
    const rows = (): (readonly number[])[] => [list.rowsIn(one), list.rowsIn(other)];
    expect(rows()).toEqual([[3, 0], [1]]);
    expect(rows()).toEqual([[3, 0], [1]]);
  });

  it('looks for none of its ids in a segment with other ids', () => {
    const later = idsOf('e', 'f');
    const find = jest.spyOn(later, 'find');
    expect(new ChangeList(['d', 'a']).rowsIn(later)).toEqual([]);
    expect(find).not.toHaveBeenCalled();
    expect(new ChangeList(['d', 'x']).rowsIn(later)).toEqual([]);
    expect(find).toHaveBeenCalledTimes(2);
  });
});

describe('the lists of changes of workspaces', () => {
  const lists = new ChangeLists();
  const see = (workspaceId: string, ...seen: [string, string[] | null][]): (readonly string[])[] =>
    lists.see(workspaceId, seen, lists.known(workspaceId)).map(({ ids }) => ids);
  const known = (workspaceId: string): string[] => [...lists.known(workspaceId).keys()];

  it('are kept from one search to the next, until a search no longer sees them', () => {
    expect(see('w', ['1', ['a']], ['2', ['b', 'c']])).toEqual([['a'], ['b', 'c']]);
    expect(known('w')).toEqual(['1', '2']);
    expect(see('w', ['2', null], ['3', ['a']])).toEqual([['b', 'c'], ['a']]);
    expect(known('w')).toEqual(['2', '3']);
  });

  it('are kept separately for each workspace', () => {
    see('u', ['7', ['a']]);
    expect(known('v')).toEqual([]);
  });

  it('are dropped beyond 100,000 ids, the least recently searched first', () => {
    const many = Array.from({ length: 60_000 }, (_, id) => String(id));
    see('old', ['1', many]);
    see('new', ['2', many]);
    expect([known('old'), known('new')]).toEqual([[], ['2']]);
  });
});
