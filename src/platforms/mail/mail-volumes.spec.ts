import { linkedArchives, readFront, volumeStart } from './mail-volumes.js';

const at = (path: string): URL => new URL(path, 'https://lists.example.org');
const link = (href: string): string => `<a href="${href}">x</a>`;
const day = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString().slice(0, 10);

describe('volumeStart', () => {
  it.each([
    ['2024-January', '2024-01-01'],
    ['1999-December', '1999-12-01'],
    ['Week-of-Mon-20240108', '2024-01-08'],
    ['20240109', '2024-01-09'],
    ['2024q3', '2024-07-01'],
    ['2024', '2024-01-01'],
    ['2024-Janvier', null],
    ['000123', null],
  ])('of %s is %s', (name, start) => {
    expect(day(volumeStart(name))).toBe(start);
  });
});

describe('readFront', () => {
  it('finds the months of Pipermail, newest first, each in one file', () => {
    const html = [
      '2023-December/thread.html',
      '2023-December.txt.gz',
      '2024-January/thread.html',
      '2024-January.txt',
      'other.txt',
      '../b/2024-May.txt',
    ];
    const front = readFront(at('/pipermail/talk/'), html.map(link).join(''));
    expect(front).toMatchObject({
      kind: 'pipermail',
      volumes: [
        { name: '2024-January', file: 'https://lists.example.org/pipermail/talk/2024-January.txt' },
        { name: '2023-December', file: 'https://lists.example.org/pipermail/talk/2023-December.txt.gz' },
      ],
    });
    expect(front).toHaveProperty('volumes.length', 2);
  });

  it('finds the months of HyperKitty, in its address with and without encoding', () => {
    const path = '/archives/list/talk@example.org/';
    const html =
      link(`${path}2024/1/`) + link('/archives/list/talk%40example.org/2023/12/') + link(`${path}2024/1/5/`);
    expect(readFront(at(path), html)).toEqual({
      kind: 'hyperkitty',
      volumes: [
        {
          name: '2024/1',
          start: Date.UTC(2024, 0),
          file: `https://lists.example.org${path}export/talk@example.org-2024-01.mbox.gz?start=2024-01-01&end=2024-02-01`,
        },
        {
          name: '2023/12',
          start: Date.UTC(2023, 11),
          file: `https://lists.example.org${path}export/talk@example.org-2023-12.mbox.gz?start=2023-12-01&end=2024-01-01`,
        },
      ],
    });
  });

  it('knows a public-inbox by its feed', () => {
    const html = '<link rel=alternate title="Atom feed" href="new.atom" type="application/atom+xml">';
    expect(readFront(at('/git/'), html)).toEqual({ kind: 'public-inbox' });
  });

  it.each(['', link('feed.xml'), link('/other/new.atom'), link('%E0%A4%A/2024/1/'), 'not <html'])(
    'knows no archive in "%s"',
    (html) => {
      expect(readFront(at('/git/'), html)).toBeNull();
    },
  );
});

describe('linkedArchives', () => {
  it('finds the archives that the page of a list links, each once', () => {
    const html =
      link('../pipermail/talk/') + link('/pipermail/talk') + link('/archives/list/a@b.example/') + link('/x');
    expect(linkedArchives(at('/mailman/listinfo/talk'), html)).toEqual([
      'https://lists.example.org/mailman/pipermail/talk/',
      'https://lists.example.org/pipermail/talk/',
      'https://lists.example.org/archives/list/a@b.example/',
    ]);
  });
});
