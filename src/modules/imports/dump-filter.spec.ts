import { DumpFilter } from './dump-filter.js';

describe('DumpFilter', () => {
  const lineOf = (author: string) => JSON.stringify({ subreddit: 'Typescript', author });

  it('selects names without regard to case', () => {
    const filter = new DumpFilter({ forums: ['typeScript'], authors: ['SomeOne'] });
    expect(filter.mayMatch(lineOf('someone'))).toBe(true);
    expect(filter.mayMatch(lineOf('another'))).toBe(false);
  });

  it('reads names as they are, not as patterns', () => {
    const filter = new DumpFilter({ forums: [], authors: ['a.b', '[c'] });
    expect(filter.mayMatch(lineOf('a.b'))).toBe(true);
    expect(filter.mayMatch(lineOf('[c'))).toBe(true);
    expect(filter.mayMatch(lineOf('axb'))).toBe(false);
  });
});
