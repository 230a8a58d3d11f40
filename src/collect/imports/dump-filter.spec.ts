import { DumpFilter, selectedNames } from './dump-filter.js';

describe('DumpFilter', () => {
  const lineOf = (author: string) => JSON.stringify({ subreddit: 'Typescript', author });

  it('selects names case-insensitively', () => {
    const filter = new DumpFilter({ forums: ['typeScript'], authors: ['SomeOne'] });
    expect(filter.mayMatch(lineOf('someone'))).toBe(true);
    expect(filter.mayMatch(lineOf('another'))).toBe(false);
  });

  it('selects records by name case-insensitively, and comments only by their author', () => {
    const filter = new DumpFilter({ forums: ['typeScript'], authors: ['SomeOne'] });
    const post = (forum: string, author: string) =>
      ({ kind: 'post', post: { forum, author } }) as Parameters<DumpFilter['matches']>[0];
    expect(filter.matches(post('Typescript', 'sOmeone'))).toBe(true);
    expect(filter.matches(post('Typescript', 'another'))).toBe(false);
    expect(filter.matches(post('rust', 'SomeOne'))).toBe(false);
    const comment = (author: string) =>
      ({ kind: 'comment', comment: { author } }) as Parameters<DumpFilter['matches']>[0];
    expect(filter.matches(comment('sOmeone'))).toBe(true);
    expect(filter.matches(comment('another'))).toBe(false);
  });

  it('treats names as literal text, not as patterns', () => {
    const filter = new DumpFilter({ forums: [], authors: ['a.b', '[c', 'd+.e'] });
    expect(filter.mayMatch(lineOf('a.b'))).toBe(true);
    expect(filter.mayMatch(lineOf('[c'))).toBe(true);
    expect(filter.mayMatch(lineOf('d+.e'))).toBe(true);
    expect(filter.mayMatch(lineOf('axb'))).toBe(false);
    expect(filter.mayMatch(lineOf('d+xe'))).toBe(false);
  });
});

it.each([
  ['forum', '', { names: [] }],
  ['forum', '/r/Gardening, R/b,c', { names: ['Gardening', 'b', 'c'] }],
  ['user', 'u/amber_fox,https://reddit.com/user/x', { names: ['amber_fox', 'x'] }],
  ['forum', 'a,u/amber_fox', { refused: 'u/amber_fox' }],
  ['user', 'r/gardening', { refused: 'r/gardening' }],
] as const)('the names of a %s in %j are %j', (type, list, names) =>
  expect(selectedNames(type, list)).toEqual(names),
);
