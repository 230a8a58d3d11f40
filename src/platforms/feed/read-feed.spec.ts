import { feedDocument, FEED_FORMS, type FeedForm } from '../../takeout/feeds/feed-documents.js';
import { decodedText } from './feed-encoding.js';
import type { FeedEntry } from './feed-entry.js';
import { feedTime } from './feed-time.js';
import { RefusedXml } from './feed-xml.js';
import { linkedFeed, readFeed } from './read-feed.js';

const ADDRESS = 'https://blog.example/a/feed.xml';
const rss = (item: string, channel = ''): string =>
  `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Blog</title>${channel}<item>${item}</item></channel></rss>`;
const atom = (entry: string, attributes = ''): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title>Blog</title><entry>${entry}</entry></feed>`;
const entriesOf = (document: string): FeedEntry[] => readFeed(document, ADDRESS)!.entries;
const first = (document: string): FeedEntry => entriesOf(document)[0]!;

describe('a feed', () => {
  it.each([
    ['RSS 0.91', '<rss version="0.91"><channel><item><title>T</title><link>/l</link></item></channel></rss>'],
    [
      'RSS 0.90',
      '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel/><item><title>T</title><link>/l</link></item></r:RDF>',
    ],
    [
      'RSS 1.0',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel/><item rdf:about="/l"><title>T</title><link>/l</link></item></rdf:RDF>',
    ],
    ['RSS 2.0', rss('<title>T</title><link>/l</link>')],
    ['RSS after a blank line', `\n ${rss('<title>T</title><link>/l</link>')}`],
    ['RSS without its end', '<rss><channel><item><title>T</title><link>/l</link></item>'],
    ['RSS with a link of Atom', rss('<title>T</title><atom:link href="/l"/>')],
    ['RSS with a guid alone', rss('<title>T</title><guid>https://blog.example/l</guid>')],
    ['Atom 1.0', atom('<title>T</title><link href="/l"/>')],
    [
      'Atom with a prefix',
      atom('<title>T</title><link href="/l"/>')
        .replaceAll(/(<\/?)(?=\w)/g, '$1a:')
        .replace('xmlns=', 'xmlns:a='),
    ],
    ['Atom without a namespace', '<feed><entry><title>T</title><link href="/l"/></entry></feed>'],
    [
      'Atom 0.3',
      '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title>T</title><link rel="alternate" href="/l"/></entry></feed>',
    ],
    ['JSON Feed', '{"version":"https://jsonfeed.org/version/1","items":[{"id":1,"title":"T","url":"/l"}]}'],
  ])('of the form %s is read', (_form, document) => {
    expect(first(document)).toMatchObject({ title: 'T', link: 'https://blog.example/l' });
  });

  it.each([
    ['AT&T &amp; others &copy; a & b', 'AT&T & others © a & b'],
    ['<![CDATA[<b>Bold</b> &amp; more]]>', 'Bold & more'],
    ['&lt;i&gt;Italic&lt;/i&gt; words', 'Italic words'],
    ['Generics: List&lt;T&gt; in Java', 'Generics: List<T> in Java'],
    ['Two&nbsp;words &#8211; one\nline', 'Two\u00a0words – one line'],
    ['&amp;eacute;t&amp;eacute;', 'été'],
    ['Bell\u0007 &undefined; end', 'Bell &undefined; end'],
  ])('has the title %s as a text', (written, title) => {
    expect(first(rss(`<title>${written}</title><link>/l</link>`)).title).toBe(title);
  });

  it.each([
    ['<content type="html">&lt;p&gt;a &amp;amp; b&lt;/p&gt;</content>', 'a & b'],
    [
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a &amp; <b>b</b></p></div></content>',
      'a & b',
    ],
    ['<content>a &lt;b&gt; c</content>', 'a <b> c'],
    ['<summary>short</summary>', 'short'],
    ['<content src="https://x.example/"/><summary>short</summary>', 'short'],
  ])('of Atom has the text of %s', (content, text) => {
    expect(first(atom(`<id>1</id>${content}`)).text).toBe(text);
  });

  it('prefers the whole content of an item, with its paragraphs', () => {
    const item =
      '<description>Short</description><content:encoded><![CDATA[<p>One</p><p>Two</p>]]></content:encoded>';
    expect(first(rss(item)).text).toBe('One\n\nTwo');
  });

  it('has files by enclosures of all kinds, each once', () => {
    const files = first(
      rss(
        '<enclosure url="/a.mp3" type="audio/mpeg" length="1"/><media:group><media:content url="/b.jpg" medium="image"/><media:content url="/b.jpg"/></media:group><media:thumbnail url="/small.jpg"/>',
      ),
    ).files;
    expect(files.map(({ kind, url }) => [kind, url])).toEqual([
      ['video', 'https://blog.example/a.mp3'],
      ['image', 'https://blog.example/b.jpg'],
    ]);
  });

  it('resolves addresses by the bases of its elements', () => {
    const entry = first(atom('<id>1</id><link href="x"/>', 'xml:base="https://other.example/b/"'));
    expect(entry.link).toBe('https://other.example/b/x');
  });

  it('says where its older entries are, and for how long it is current', () => {
    const content = readFeed(
      rss('<title>T</title>', '<ttl>90</ttl><atom:link rel="next" href="?p=2"/>'),
      ADDRESS,
    )!;
    expect(content).toMatchObject({ lifetimeMs: 5_400_000, next: `${ADDRESS}?p=2` });
  });

  it('finds entries after an element that is not ended', () => {
    const document = rss('<title>A<br></title><link>/1</link></item><item><title>B</title><link>/2</link>');
    expect(entriesOf(document).map(({ link }) => link)).toEqual([
      'https://blog.example/1',
      'https://blog.example/2',
    ]);
  });

  it.each([
    ['<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">', true],
    ['<!ENTITY a SYSTEM "file:///etc/passwd">', true],
    ['<!ENTITY % a "b">', true],
    ['<!ENTITY rdf "http://www.w3.org/">', false],
  ])('with the entities %s is refused: %s', (entities, isRefused) => {
    const read = () => readFeed(`<!DOCTYPE rss [${entities}]>${rss('<title>T</title>')}`, ADDRESS);
    if (isRefused) expect(read).toThrow(RefusedXml);
    else expect(read()!.entries).toHaveLength(1);
  });

  it.each([
    ['deep elements', rss('<a>'.repeat(100_000))],
    ['elements', rss('<a/>'.repeat(400_000))],
    ['faults', rss(`<title>${'<'.repeat(1_000_000)}</title>`)],
    ['attributes', rss(`<a ${Array.from({ length: 10_000 }, (_, at) => `a${at}="b"`).join(' ')}/>`)],
  ])('with too many %s is refused', (_what, document) => {
    expect(() => readFeed(document, ADDRESS)).toThrow(RefusedXml);
  });

  it.each(['', '<html><body>page</body></html>', 'text', '{"a":1}', '<svg/>', '[]', '<'])(
    'is not found in %j',
    (document) => expect(readFeed(document, ADDRESS)).toBeNull(),
  );
});

describe('the time of an entry', () => {
  it.each([
    ['Mon, 02 Jan 2006 15:04:05 -0700', '2006-01-02T22:04:05Z'],
    ['Fri, 02 Jan 2006 15:04:05 EST', '2006-01-02T20:04:05Z'],
    ['2 Jan 06 15:04 UT', '2006-01-02T15:04:00Z'],
    ['Mo, 05 Mär 2012 10:00:00 +0100', '2012-03-05T09:00:00Z'],
    ['Thu, 01 Jan 2004 19:48:21 CEST', '2004-01-01T17:48:21Z'],
    ['2006-01-02T15:04:05+01:00', '2006-01-02T14:04:05Z'],
    ['2006-01-02 15:04:05', '2006-01-02T15:04:05Z'],
    ['2006-01', '2006-01-01T00:00:00Z'],
    ['January 2, 2006', '2006-01-02T00:00:00Z'],
  ])('is read from %s', (text, expected) => {
    expect(new Date(feedTime(text)!).toISOString()).toBe(expected.replace('Z', '.000Z'));
  });

  it.each(['', 'yesterday', '32 Foo 2006', null])('is none in %j', (text) => {
    expect(feedTime(text)).toBeNull();
  });
});

describe('the text of a document', () => {
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
  it.each([
    ['UTF-8', Buffer.from('<a>é</a>'), null],
    ['UTF-8 with its mark', Buffer.from('\ufeff<a>é</a>'), 'text/xml; charset=iso-8859-1'],
    ['UTF-8, named Latin-1', Buffer.from('<a>é</a>'), 'text/xml; charset=ISO-8859-1'],
    [
      'Latin-1, as declared',
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>', 'latin1'),
      null,
    ],
    ['Latin-1, undeclared', Buffer.from('<a>é</a>', 'latin1'), null],
    [
      'Latin-1, named UTF-8 but by its header',
      Buffer.from('<?xml version="1.0" encoding="utf-8"?><a>é</a>', 'latin1'),
      'text/xml; charset=latin1',
    ],
    ['windows-1252', Buffer.from('<a>\x93é</a>', 'latin1'), 'text/xml; charset="windows-1252"'],
    ['UTF-16 with its mark', utf16('\ufeff<a>é</a>'), null],
    ['UTF-16 without a mark', utf16('<a>é</a>'), null],
    ['UTF-16, most significant first', utf16('\ufeff<a>é</a>').swap16(), null],
  ])('in %s is decoded', (_name, body, type) => {
    expect(decodedText(body, type)).toContain('é</a>');
  });
});

describe('a page', () => {
  it.each([
    ['<link rel="alternate" type="application/rss+xml" href="/feed">', 'https://blog.example/feed'],
    [
      '<link rel=alternate type="application/rss+xml" title="Comments" href="/c"><LINK REL="alternate" TYPE="application/atom+xml" HREF="atom.xml">',
      'https://blog.example/a/atom.xml',
    ],
    [
      '<link rel="alternate" type="application/json+oembed" href="/o"><link rel="alternate" hreflang="de" href="/de">',
      null,
    ],
  ])('with %s links its feed', (links, expected) => {
    expect(linkedFeed(`<!doctype html><head>${links}</head>`, ADDRESS)).toBe(expected);
  });
});

describe('a feed of this service', () => {
  const TEXTS = [
    'plain',
    'a & b < c > d',
    '<b>bold</b>',
    '&lt;b&gt; &amp;amp; &copy',
    ']]> "q" \'s\'',
    'two  blanks',
    'ü \u{1f600} 你好',
  ];
  const items = TEXTS.map((text, at) => ({
    id: `t3_${at}`,
    title: text,
    body: `${text}\n\nmore\nlines of ${text}`,
    author: text,
    forum: text,
    createdUtc: new Date(Date.UTC(2026, 0, 1, 0, 0, at)),
    link: `https://www.example.org/${at}?a=1&b=2`,
  }));
  const head = {
    workspaceId: 'w',
    searchId: 's',
    title: 'All',
    url: 'https://a.example/f',
    site: 'https://a.example/',
  };

  it.each(Object.keys(FEED_FORMS) as FeedForm[])('in the form %s is read without loss', (form) => {
    const entries = entriesOf(feedDocument(form, head, items));
    expect(
      entries.map(({ title, text, author, tags, link, time }) => ({ title, text, author, tags, link, time })),
    ).toEqual(
      items.map(({ title, body, author, forum, link, createdUtc }) => ({
        title,
        text: body,
        author,
        tags: [forum],
        link,
        time: createdUtc.getTime(),
      })),
    );
    expect(new Set(entries.map(({ guid }) => guid)).size).toBe(items.length);
  });
});
