import { collectNames, hasWord, replaceNames, wordsOfNames } from './names-in-text.js';

describe('replaceNames', () => {
  const NAMES = ['some_body', 'ann', 'kim.example.org'];
  const of = (text: string): string =>
    replaceNames(text, (name, isMention) => (isMention || NAMES.includes(name.toLowerCase()) ? 'X' : null));

  it.each([
    ['ask u/Nobody or /u/somebody-else', 'ask u/X or /u/X'],
    ['@ann@example.org wrote', '@X wrote'],
    ['Ann, annex and _ann_', 'X, annex and _X_'],
    ['u_some_body', 'u_X'],
    ['/r/a/comments/1x/about_some_body/', '/r/a/comments/1x//'],
    ['https://example.org/user/ann/posts', 'https://example.org/user/X/posts'],
    ['/profile/kim.example.org/post/1', '/profile/X/post/1'],
    ['kim.ann@nowhere', 'kim.X@nowhere'],
    ['> some_body: “no”', '> X: “no”'],
    ['some\\_body and u/No\\_One\\-\\_ wrote', 'X and u/X wrote'],
    ['some&#95;body, some&#x5F;body; &lowbar;ann&lowbar;', 'X, X; _X_'],
    [
      'https://a.example/user/no%5Fone?next=%2Fuser%2Fno%255Fone%26x',
      'https://a.example/user/X?next=/user/X%26x',
    ],
    ['some_\u200bbo\u00addy and a&shy;nn', 'X and X'],
    ['u/mary\u2011ann', 'u/X'],
    ['@re\u0301mi', '@X'],
    ['%2Fcomments%2F1x%2Fsome%5Fbody%2F', '/comments/1x/%2F'],
    ['50%, \\* a\\_b &amp; %ff &lt;b&gt; \u200b', '50%, \\* a\\_b &amp; %ff &lt;b&gt; \u200b'],
  ])('turns %j into %j', (text, expected) => {
    expect(of(text)).toBe(expected);
  });

  it('asks about the words and their parts', () => {
    const names = new Set<string>();
    collectNames('a.B _c_', names);
    expect([...names].sort()).toEqual(['_c_', 'a', 'a.b', 'b', 'c']);
  });

  it('finds the words of names in keywords, however they are divided', () => {
    const words = wordsOfNames(['Some_Body', 'kim-1.example', 'HTTPFan']);
    expect(['some thing', 'Body', 'kim', '1', 'http', 'fan club'].every((one) => hasWord(one, words))).toBe(
      true,
    );
    expect(['something', 'ki', 'fans'].some((one) => hasWord(one, words))).toBe(false);
  });
});
