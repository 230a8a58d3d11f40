import { parseMailTarget, readMailAddress, resolveMail } from './mail-target.js';

describe('the address of an archive', () => {
  it.each([
    ['lists.example.org/pipermail/talk', 'https://lists.example.org/pipermail/talk/'],
    [
      'https://lists.example.org/pipermail/talk/2024-January/000123.html',
      'https://lists.example.org/pipermail/talk/',
    ],
    [
      'https://lists.example.org/pipermail/talk/2024-January/thread.html',
      'https://lists.example.org/pipermail/talk/',
    ],
    [
      'https://lists.example.org/pipermail/talk/2024-January.txt.gz',
      'https://lists.example.org/pipermail/talk/',
    ],
    [
      'https://lists.example.org/pipermail/talk/Week-of-Mon-20240101/date.html',
      'https://lists.example.org/pipermail/talk/',
    ],
    ['https://lists.example.org/pipermail/talk/index.html#top', 'https://lists.example.org/pipermail/talk/'],
    [
      'http://lists.example.org/hyperkitty/list/talk@example.org/2024/1/',
      'http://lists.example.org/hyperkitty/list/talk@example.org/',
    ],
    [
      'https://lists.example.org/archives/list/talk%40example.org/thread/ABC/',
      'https://lists.example.org/archives/list/talk@example.org/',
    ],
    ['https://inbox.example/git/new.atom', 'https://inbox.example/git/'],
    ['https://inbox.example/git/all.mbox.gz', 'https://inbox.example/git/'],
    ['https://inbox.example/git/20240101.1-a@b.example/', 'https://inbox.example/git/'],
    ['https://inbox.example/git/20240101.1-a%40b.example/T/#u', 'https://inbox.example/git/'],
    ['https://inbox.example/git/?t=20240101', 'https://inbox.example/git/'],
    ['https://inbox.example', 'https://inbox.example/'],
  ])('is the same on all of its pages: %s', (text, address) => {
    expect(readMailAddress(text)?.href).toBe(address);
    expect(parseMailTarget({ type: 'forum', name: `mail:${text}` })).toEqual({
      target: { type: 'forum', name: address },
    });
  });

  it.each([
    '',
    'talk',
    'ftp://lists.example.org/',
    'https://ann:secret@lists.example.org/',
    `https://a.example/${'x'.repeat(300)}/`,
  ])('is refused for "%s"', (text) => {
    expect(parseMailTarget({ type: 'forum', name: text })).toHaveProperty(
      'refusal',
      expect.stringContaining('mail:ADDRESS'),
    );
  });

  it('holds no user', () => {
    expect(
      parseMailTarget({ type: 'user', name: 'https://lists.example.org/pipermail/talk/' }),
    ).toHaveProperty('refusal');
  });

  it.each([
    [
      'https://lists.example.org/pipermail/talk/2024-January/000123.html',
      'mail:https://lists.example.org/pipermail/talk/',
      'talk',
    ],
    [
      'https://lists.example.org/archives/list/talk@example.org/latest',
      'mail:https://lists.example.org/archives/list/talk@example.org/',
      'talk@example.org',
    ],
  ])('is found without a request where it says what it is: %s', (url, target, name) => {
    expect(resolveMail(new URL(url))).toEqual({ target, targetType: 'forum', name });
  });

  it.each([
    'https://inbox.example/git/',
    'https://lists.example.org/mailman/listinfo/talk',
    'https://a.example/list/books/',
  ])('needs a request for %s', (url) => {
    expect(resolveMail(new URL(url))).toBeNull();
  });
});
