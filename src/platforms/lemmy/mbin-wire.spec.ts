import { mapPosts, missingOf, readComments } from './lemmy-wire.js';
import { isUnindexedOnMbin, MAX_LEVELS, viewOfEntry, viewOfOneComment, viewsOfTrees } from './mbin-wire.js';

const createdAt = '2026-01-02T03:04:05+01:00';
const postOf = (more: object) =>
  mapPosts('s.example', [viewOfEntry({ entryId: 7, title: 't', createdAt, ...more }, false)])[0];
const comment = (commentId: number, children: unknown[] = [], childCount = children.length) => ({
  ...{ commentId, createdAt, body: 'b', children, childCount },
});
/** Comments of which each answers the one before it. */
function chain(length: number): object {
  let tree = comment(length);
  for (let id = length - 1; id > 0; id -= 1) tree = comment(id, [tree], length - id);
  return tree;
}
const treesOf = (...trees: unknown[]) => viewsOfTrees(trees, [], () => false);

describe('an entry of Mbin', () => {
  it.each([
    [{ magazine: { name: 'birds' } }, 'lemmy:birds@s.example', '/m/birds/t/7'],
    [{ magazine: { name: 'birds@home.example' } }, 'lemmy:birds@home.example', '/m/birds@home.example/t/7'],
    [{ magazine: { name: 'vö gel' } }, 'lemmy:vö gel@s.example', '/m/v%C3%B6%20gel/t/7'],
    [{ magazine: { name: '\ud800' } }, 'lemmy:\ufffd@s.example', '/m/%EF%BF%BD/t/7'],
    [{}, 'lemmy:[deleted]', '/post/7'],
  ])('with %j has the forum %s and the page %s', (more, forum, permalink) =>
    expect(postOf(more)).toMatchObject({ forum, permalink }),
  );

  it.each([
    ['ann', 'ann'],
    ['@ann@home.example', 'ann@home.example'],
    [null, '[deleted]'],
  ])('of %s has the author %s', (username, author) =>
    expect(postOf({ user: { username } })).toMatchObject({ author }),
  );

  it('counts boosts as favourites', () =>
    expect(postOf({ uv: 2, favourites: 4, dv: 2 })).toMatchObject({ score: 4, upvoteRatio: 0.75 }));

  it.each(['soft_deleted', 'trashed', 'private'])('that is %s is not there', (visibility) =>
    expect(postOf({ visibility })).toBeUndefined(),
  );

  it('is left out by the wish of its account or magazine', () => {
    const wishes = [{ user: { indexable: false } }, { magazine: { indexable: false } }, { user: {} }];
    expect(wishes.map(isUnindexedOnMbin)).toEqual([true, true, false]);
    expect(mapPosts('s.example', [viewOfEntry({ entryId: 7, title: 't', createdAt }, true)])).toEqual([]);
  });
});

describe('a tree of comments of Mbin', () => {
  it('names the comments whose replies it lacks', () => {
    const { views, cut } = treesOf(comment(1, [comment(2, [], 3)]), comment(4), { strange: true }, null);
    expect(readComments(views).map(({ path }) => path)).toEqual(expect.arrayContaining([[1], [1, 2], [4]]));
    expect(cut).toEqual([{ id: 2, above: [1] }]);
    expect(missingOf(readComments(views))).toBe(0);
  });

  it('is read to the levels that an answer has, however deep it is', () => {
    const { views, cut } = treesOf(chain(20_000));
    expect(views).toHaveLength(MAX_LEVELS + 1);
    expect(cut).toMatchObject([{ id: MAX_LEVELS + 1 }]);
  });

  it('has comments whose first and last ones above are known by themselves', () => {
    const view = viewOfOneComment({ ...comment(9), rootId: 1, parentId: 8 }, false);
    expect(readComments([view])).toMatchObject([{ id: 9, path: [1, 8, 9] }]);
    expect(readComments([viewOfOneComment({ ...comment(9), rootId: 1, parentId: 1 }, false)])).toMatchObject([
      { path: [1, 9] },
    ]);
    expect(viewOfOneComment({}, false)).toBeNull();
  });
});
