import { AlertMatcher } from './alert-matcher.js';
import { recordOf } from './alertable-record.js';

const found = async (keyword: string, title: string, selftext: string): Promise<boolean> => {
  const matcher = await AlertMatcher.compile([{ id: 'a', keywords: [keyword], forums: [] }]);
  const at = { id: 't3_a', forum: 'technology', author: 'ann', createdUtc: new Date(0) };
  const post = { ...at, title, selftext };
  return matcher.match(recordOf(post)).length > 0;
};

const ENGLISH = 'the battery of my phone was not what they said it would be when I bought this'.split(' ');

describe('a keyword at the very end', () => {
  it.each([1, 2, 63, 64, 255, 256, 1_000, 5_000, 10_000])('of a text of %i words is found', async (words) => {
    const before = Array.from({ length: words }, (_, n) => ENGLISH[n % ENGLISH.length]!).join(' ');
    for (const [keyword, end] of [
      ['rust', 'rust'],
      ['machine learning', 'machine learning'],
      ['c++', 'C++'],
      ['-40%', '−40%'],
      ['café', 'cafe'],
    ] as const) {
      expect([keyword, await found(keyword, '', `${before} ${end}`)]).toEqual([keyword, true]);
      expect([keyword, await found(keyword, `${before} ${end}`, '')]).toEqual([keyword, true]);
    }
    expect(await found('rust', '', `${before} rus`)).toBe(false);
    expect(await found('machine learning', '', `${before} machine`)).toBe(false);
  });

  it.each([64, 65, 199, 200])('with a word of %i characters is found', async (length) => {
    const keyword = 'x'.repeat(length);
    expect(await found(keyword, '', `an ${keyword}`)).toBe(true);
    expect(await found(keyword, '', `an ${keyword}x`)).toBe(false);
  });

  it('of the title is not continued by the body', async () => {
    expect(await found('machine learning', 'about the machine', 'learning to live')).toBe(false);
  });
});
