import { childrenOf, parseXml, type XmlElement } from './xml.js';

/** A rule of a form of feeds, with what breaks it in a document; nothing when it is kept. */
type Rule<Document> = readonly [rule: string, broken: (document: Document, url: string) => unknown[]];

const ATOM = 'http://www.w3.org/2005/Atom';
const CONTENT = '{http://purl.org/rss/1.0/modules/content/}encoded';
const atom = (name: string): string => `{${ATOM}}${name}`;

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));
const isMailDate = (text: string): boolean =>
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/.test(
    text,
  ) && new Date(text).toUTCString() === text;
const isAbsolute = (text: string): boolean => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text);
const isWebAddress = (text: string): boolean => /^https?:/.test(text) && isAbsolute(text);
const isMediaType = (text: string): boolean => /^[\w.+-]+\/[\w.+-]+$/.test(text);
const isEmpty = (text: string): boolean => text.trim() === '';

/** The names of which an element does not have exactly one child. */
const notOnce = (element: XmlElement, names: readonly string[]): string[] =>
  names.filter((name) => childrenOf(element, name).length !== 1);
const repeated = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);
const textsOf = (elements: readonly XmlElement[], name: string): string[] =>
  elements.flatMap((element) => childrenOf(element, name)).map(({ text }) => text);
const all = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(all)];

const entriesOf = (feed: XmlElement): XmlElement[] => childrenOf(feed, atom('entry'));
const feedAndEntries = (feed: XmlElement): XmlElement[] => [feed, ...entriesOf(feed)];
const linksOf = (element: XmlElement, rel: string): Record<string, string>[] =>
  childrenOf(element, atom('link'))
    .map(({ attributes }) => attributes)
    .filter((attributes) => (attributes.rel ?? 'alternate') === rel);

/** RFC 4287, and what the W3C's service warns of. */
const ATOM_RULES: readonly Rule<XmlElement>[] = [
  ['the root is feed', ({ name }) => [name].filter((one) => one !== atom('feed'))],
  [
    'feed and entries have one id, title and updated',
    (feed) => feedAndEntries(feed).flatMap((one) => notOnce(one, ['id', 'title', 'updated'].map(atom))),
  ],
  [
    'ids are absolute IRIs',
    (feed) => textsOf(feedAndEntries(feed), atom('id')).filter((id) => !isAbsolute(id)),
  ],
  ['ids are unique', (feed) => repeated(textsOf(feedAndEntries(feed), atom('id')))],
  [
    'dates have the form of RFC 3339',
    (feed) =>
      ['updated', 'published'].flatMap((name) =>
        textsOf(feedAndEntries(feed), atom(name)).filter((date) => !isDate(date)),
      ),
  ],
  [
    'the link to itself is the address of the feed',
    (feed, url) => (linksOf(feed, 'self').some(({ href }) => href === url) ? [] : linksOf(feed, 'self')),
  ],
  ['there is a link to itself', (feed) => (linksOf(feed, 'self').length === 1 ? [] : ['self'])],
  [
    'links are absolute addresses',
    (feed) =>
      all(feed)
        .filter(({ name }) => name === atom('link'))
        .filter(({ attributes }) => !isAbsolute(attributes.href ?? '')),
  ],
  [
    'types of links are media types',
    (feed) =>
      all(feed)
        .filter(({ name, attributes }) => name === atom('link') && attributes.type !== undefined)
        .filter(({ attributes }) => !isMediaType(attributes.type!)),
  ],
  [
    'entries without content have an alternate link, and at most one',
    (feed) =>
      entriesOf(feed).filter((entry) => {
        const links = linksOf(entry, 'alternate').length;
        return links > 1 || (links === 0 && childrenOf(entry, atom('content')).length === 0);
      }),
  ],
  [
    'entries have authors, unless the feed has',
    (feed) =>
      childrenOf(feed, atom('author')).length > 0
        ? []
        : entriesOf(feed).filter((entry) => childrenOf(entry, atom('author')).length === 0),
  ],
  [
    'persons have one name that is not empty',
    (feed) =>
      all(feed)
        .filter(({ name }) => name === atom('author'))
        .filter((author) => notOnce(author, [atom('name')]).length > 0 || isEmpty(author.children[0]!.text)),
  ],
  [
    'texts are text or html, without elements, and titles are not empty',
    (feed) =>
      all(feed)
        .filter(({ name }) => ['title', 'subtitle', 'summary', 'content', 'rights'].map(atom).includes(name))
        .filter(
          ({ name, text, attributes, children }) =>
            !['text', 'html'].includes(attributes.type ?? 'text') ||
            children.length > 0 ||
            (name === atom('title') && isEmpty(text)),
        ),
  ],
  [
    'categories have a term',
    (feed) =>
      all(feed)
        .filter(({ name }) => name === atom('category'))
        .filter(({ attributes }) => isEmpty(attributes.term ?? '')),
  ],
  [
    'elements of entries come once',
    (feed) =>
      entriesOf(feed).flatMap((entry) =>
        ['content', 'published', 'rights', 'source', 'summary']
          .map(atom)
          .filter((name) => childrenOf(entry, name).length > 1),
      ),
  ],
];

const channelOf = (rss: XmlElement): XmlElement => rss.children[0]!;
const itemsOf = (rss: XmlElement): XmlElement[] => childrenOf(channelOf(rss), 'item');

/** RSS 2.0 with the recommendations of the W3C's service. */
const RSS_RULES: readonly Rule<XmlElement>[] = [
  [
    'the root is rss 2.0 with one channel',
    (rss) =>
      rss.name === 'rss' && rss.attributes.version === '2.0' && rss.children.length === 1 ? [] : [rss.name],
  ],
  [
    'the channel has one title, link and description',
    (rss) => notOnce(channelOf(rss), ['title', 'link', 'description']),
  ],
  [
    'the texts of the channel are not empty',
    (rss) =>
      textsOf([channelOf(rss)], 'title')
        .concat(textsOf([channelOf(rss)], 'description'))
        .filter(isEmpty),
  ],
  [
    'links are absolute addresses',
    (rss) => textsOf([channelOf(rss), ...itemsOf(rss)], 'link').filter((link) => !isWebAddress(link)),
  ],
  [
    'the channel links to its own address with its media type',
    (rss, url) =>
      childrenOf(channelOf(rss), atom('link')).some(
        ({ attributes: { rel, href, type } }) =>
          rel === 'self' && href === url && type === 'application/rss+xml',
      )
        ? []
        : ['atom:link'],
  ],
  [
    'dates have the form of RFC 822 with four digits of the year',
    (rss) =>
      ['pubDate', 'lastBuildDate'].flatMap((name) =>
        textsOf([channelOf(rss), ...itemsOf(rss)], name).filter((date) => !isMailDate(date)),
      ),
  ],
  [
    'items have a title or a description',
    (rss) =>
      itemsOf(rss).filter((item) =>
        ['title', 'description'].every((name) => textsOf([item], name).every(isEmpty)),
      ),
  ],
  ['items have one guid', (rss) => itemsOf(rss).flatMap((item) => notOnce(item, ['guid']))],
  ['guids are unique', (rss) => repeated(textsOf(itemsOf(rss), 'guid'))],
  [
    'guids that are permanent links are addresses',
    (rss) =>
      itemsOf(rss)
        .flatMap((item) => childrenOf(item, 'guid'))
        .filter(({ attributes, text }) => attributes.isPermaLink !== 'false' && !isWebAddress(text)),
  ],
  [
    'authors are addresses of mail',
    (rss) => textsOf(itemsOf(rss), 'author').filter((author) => !/^\S+@\S+/.test(author)),
  ],
  [
    'enclosures have an address, a length and a media type',
    (rss) =>
      itemsOf(rss)
        .flatMap((item) => childrenOf(item, 'enclosure'))
        .filter(
          ({ attributes: { url: address = '', length = '', type = '' } }) =>
            !isWebAddress(address) || !/^\d+$/.test(length) || !isMediaType(type),
        ),
  ],
  [
    'elements of items come once',
    (rss) =>
      itemsOf(rss).flatMap((item) =>
        ['title', 'link', 'description', 'pubDate', CONTENT].filter(
          (name) => childrenOf(item, name).length > 1,
        ),
      ),
  ],
];

interface JsonFeed {
  version?: unknown;
  title?: unknown;
  feed_url?: unknown;
  home_page_url?: unknown;
  items?: Record<string, unknown>[];
}

const isText = (value: unknown): value is string => typeof value === 'string' && !isEmpty(value);
const stringsOf = (items: readonly Record<string, unknown>[], ...names: string[]): string[] =>
  items.flatMap((item) => names.map((name) => item[name])).filter((one) => one !== undefined) as string[];

/** JSON Feed 1.1. */
const JSON_RULES: readonly Rule<JsonFeed>[] = [
  [
    'the version is 1.1',
    ({ version }) => [version].filter((one) => one !== 'https://jsonfeed.org/version/1.1'),
  ],
  ['the feed has a title', ({ title }) => [title].filter((one) => !isText(one))],
  ['the feed has its own address', ({ feed_url }, url) => [feed_url].filter((one) => one !== url)],
  ['items are a list', ({ items }) => (Array.isArray(items) ? [] : ['items'])],
  ['ids are texts', ({ items }) => items!.filter(({ id }) => !isText(id))],
  ['ids are unique', ({ items }) => repeated(stringsOf(items!, 'id'))],
  [
    'items have content',
    ({ items }) =>
      items!.filter(
        ({ content_html, content_text }) =>
          typeof content_html !== 'string' && typeof content_text !== 'string',
      ),
  ],
  [
    'addresses are absolute',
    ({ items, home_page_url }) =>
      stringsOf([...items!, { url: home_page_url }], 'url', 'external_url', 'image').filter(
        (one) => !isWebAddress(one),
      ),
  ],
  [
    'dates have the form of RFC 3339',
    ({ items }) => stringsOf(items!, 'date_published', 'date_modified').filter((date) => !isDate(date)),
  ],
  [
    'authors are a list of persons with names',
    ({ items }) =>
      items!.filter(
        ({ author, authors }) =>
          author !== undefined ||
          !Array.isArray(authors) ||
          !authors.every((one: { name?: unknown }) => isText(one.name)),
      ),
  ],
  [
    'tags are texts',
    ({ items }) =>
      items!.filter(({ tags }) => tags !== undefined && !(Array.isArray(tags) && tags.every(isText))),
  ],
];

const broken = <Document>(rules: readonly Rule<Document>[], document: Document, url: string): string[] =>
  rules.flatMap(([rule, breaks]) => breaks(document, url).map((what) => `${rule}: ${JSON.stringify(what)}`));

/** Rules that a feed breaks, by form, with what breaks them; the address is the one from which it was read. */
export const FEED_RULES = {
  atom: (document: string, url: string): string[] => broken(ATOM_RULES, parseXml(document), url),
  rss: (document: string, url: string): string[] => broken(RSS_RULES, parseXml(document), url),
  json: (document: string, url: string): string[] =>
    broken(JSON_RULES, JSON.parse(document) as JsonFeed, url),
};
