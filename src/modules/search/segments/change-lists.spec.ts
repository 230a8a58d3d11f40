import { ChangeList, ChangeLists } from './change-lists.js';
import { SegmentIds } from './segment-blocks.js';

const idsOf = (...ids: string[]): SegmentIds => SegmentIds.decode(SegmentIds.encode(ids));

describe('a list of changes', () => {
  it('names rows of each segment, again and again', () => {
    const list = new ChangeList(['d', 'a', 'x']);
    const [one, other] = [idsOf('a', 'b', 'c', 'd'), idsOf('b', 'x')];
    const rows = (): (readonly number[])[] => [list.rowsIn(one), list.rowsIn(other)];
    expect(rows()).toEqual([[3, 0], [1]]);
    expect(rows()).toEqual([[3, 0], [1]]);
  });
});

describe('the lists of changes of workspaces', () => {
  const lists = new ChangeLists();
  const see = (workspaceId: string, ...seen: [string, string[] | null][]): (readonly string[])[] =>
    lists.see(workspaceId, seen, lists.known(workspaceId)).map(({ ids }) => ids);
  const known = (workspaceId: string): string[] => [...lists.known(workspaceId).keys()];

  it('keep the ids of those that a search saw, until another does not see them', () => {
    expect(see('w', ['1', ['a']], ['2', ['b', 'c']])).toEqual([['a'], ['b', 'c']]);
    expect(known('w')).toEqual(['1', '2']);
    expect(see('w', ['2', null], ['3', ['a']])).toEqual([['b', 'c'], ['a']]);
    expect(known('w')).toEqual(['2', '3']);
  });

  it('are those of one workspace', () => {
    see('u', ['7', ['a']]);
    expect(known('v')).toEqual([]);
  });

  it('are forgotten beyond 100,000 ids, those of the workspace that was searched longest ago first', () => {
    const many = Array.from({ length: 60_000 }, (_, id) => String(id));
    see('old', ['1', many]);
    see('new', ['2', many]);
    expect([known('old'), known('new')]).toEqual([[], ['2']]);
  });
});
