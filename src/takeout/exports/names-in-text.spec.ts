import { collectNames, replaceNames } from './names-in-text.js';

describe('replaceNames', () => {
  const NAMES = ['some_body', 'ann', 'kim.example.org'];
  const of = (text: string): string =>
    replaceNames(text, (name, isMention) => (isMention || NAMES.includes(name) ? 'X' : null));

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
  ])('turns %j into %j', (text, expected) => {
    expect(of(text)).toBe(expected);
  });

  it('asks about the words and their parts', () => {
    const names = new Set<string>();
    collectNames('a.B _c_', names);
    expect([...names].sort()).toEqual(['_c_', 'a', 'a.b', 'b', 'c']);
  });
});
