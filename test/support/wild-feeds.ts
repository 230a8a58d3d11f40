import { Random } from '../simulation/random.js';

/** A document as servers send feeds. Each entry has a mark of its own, `mark…x`, in at least one of its elements. */
export interface WildFeed {
  form: string;
  body: Buffer;
  contentType: string;
}

const DATES = [
  'Mon, 02 Nov 2026 10:00:00 GMT',
  '2026-11-02T10:00:00Z',
  '02 Nov 26 10:00 EST',
  'Yesterday at noon',
  '2026-13-45',
  'Lun, 2 novembre 2026 10:00:00 +0100',
  '',
];
const WORDS = ['Grüße', 'café', 'naïve', 'señor', 'plain', 'Ærø', 'été'];

/** Documents in the forms and with the faults that feeds have in the world; the same for the same seed. */
export function wildFeeds(seed: number, count: number): WildFeed[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, number) => wildFeed(random.fork(), number));
}

function wildFeed(random: Random, number: number): WildFeed {
  const form = random.pick([...Object.keys(XML_FORMS), 'json']);
  const marks = Array.from({ length: 1 + random.below(6) }, (_, at) => `mark${number}q${at}x`);
  if (form === 'json') return jsonFeed(random, marks);
  const { type, write } = XML_FORMS[form]!;
  return { form, ...encoded(random, damaged(random, write(random, marks)), type) };
}

interface XmlForm {
  type: string;
  write: (random: Random, marks: readonly string[]) => string;
}

const XML_FORMS: Record<string, XmlForm> = {
  'RSS 0.91': {
    type: 'text/xml',
    write: (random, marks) =>
      `${random.pick(['', '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">\n'])}<rss version="0.91"><channel><title>Blog</title>${items(random, marks)}</channel></rss>`,
  },
  'RSS 1.0': {
    type: 'application/rdf+xml',
    write: (random, marks) =>
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="/"><title>Blog</title></channel>${items(random, marks)}</rdf:RDF>`,
  },
  'RSS 2.0': {
    type: 'application/rss+xml',
    write: (random, marks) => {
      const own = random.pick(['', ' xmlns="http://backend.userland.com/rss2"']);
      const spaces = random.chance(0.7)
        ? ' xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"'
        : '';
      const inside = random.chance(0.85);
      const written = items(random, marks);
      return `<rss version="2.0"${own}${spaces}><channel><title>Blog &amp; <![CDATA[more]]></title>${inside ? written : ''}</channel>${inside ? '' : written}</rss>`;
    },
  },
  'Atom 1.0': { type: 'application/atom+xml', write: (random, marks) => atom(random, marks) },
  'Atom 0.3': {
    type: 'text/xml',
    write: (random, marks) =>
      `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Blog</title>${marks.map((mark) => entry(random, mark, '')).join('\n')}</feed>`,
  },
};

function atom(random: Random, marks: readonly string[]): string {
  const isPrefixed = random.chance(0.25);
  const own = isPrefixed ? 'a:' : '';
  const space = `xmlns${isPrefixed ? ':a' : ''}="http://www.w3.org/2005/Atom"`;
  const base = random.pick(['', ' xml:base="https://blog.example/deep/"', ' xml:lang="de"']);
  return `<${own}feed ${space}${base}><${own}title>Blog</${own}title>${marks.map((mark) => entry(random, mark, own)).join('\n')}</${own}feed>`;
}

const items = (random: Random, marks: readonly string[]): string =>
  marks.map((mark) => item(random, mark)).join(random.pick(['', '\n', '<!-- <item> -->\n']));

function item(random: Random, mark: string): string {
  const parts = [
    random.chance(0.75) ? `<title>${title(random, mark)}</title>` : '',
    random.chance(0.75) ? `<link>${address(random, mark)}</link>` : '',
    random.pick([
      '',
      `<guid>https://blog.example/${mark}</guid>`,
      `<guid isPermaLink="false">tag:blog.example,2026:${mark}</guid>`,
      '<guid></guid>',
    ]),
    random.pick(['', `<pubDate>${random.pick(DATES)}</pubDate>`, `<dc:date>${random.pick(DATES)}</dc:date>`]),
    random.pick(['', '<dc:creator>Ann</dc:creator>', '<author>ann@blog.example (Ann)</author>']),
    random.pick([
      '',
      `<atom:link href="/${mark}"/>`,
      '<enclosure url="/a.mp3" length="x" type="audio/mpeg"/>',
    ]),
    `<description>${html(random, mark)}</description>`,
    random.pick(['', `<content:encoded><![CDATA[<p>${mark}</p>]]></content:encoded>`]),
  ].filter((part) => part !== '');
  if (random.chance(0.15)) parts.push(random.pick(parts));
  const about = random.chance(0.2) ? ` rdf:about="https://blog.example/${mark}"` : '';
  return `<item${about}>${shuffled(random, parts).join(random.pick(['', '\n  ']))}</item>`;
}

function entry(random: Random, mark: string, own: string): string {
  const element = (name: string, attributes: string, inner: string): string =>
    `<${own}${name}${attributes}>${inner}</${own}${name}>`;
  const parts = [
    element('title', random.pick(['', ' type="html"', ' type="text"']), title(random, mark)),
    random.chance(0.8) ? `<${own}link rel="alternate" href="${address(random, mark).trim()}"/>` : '',
    random.chance(0.8)
      ? element('id', '', random.pick([`urn:uuid:${mark}`, `tag:blog.example,2026:${mark}`]))
      : '',
    random.chance(0.8) ? element('updated', '', random.pick(DATES)) : '',
    random.pick([
      element('content', ' type="html"', html(random, mark)),
      element('summary', '', html(random, mark)),
      `<${own}content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>${mark}</p></div></${own}content>`,
    ]),
    random.chance(0.3) ? element('author', '', element('name', '', 'Ann')) : '',
  ].filter((part) => part !== '');
  if (random.chance(0.15)) parts.push(random.pick(parts));
  return element('entry', '', shuffled(random, parts).join('\n'));
}

const title = (random: Random, mark: string): string =>
  random.pick([
    `${random.pick(WORDS)} ${mark}`,
    `<![CDATA[<b>${mark}</b> & ${random.pick(WORDS)}]]>`,
    `&lt;i&gt;${mark}&lt;/i&gt; &amp;amp; more`,
    `${mark} &nbsp;&mdash; &hellip;`,
    `AT&T ${mark} & 3 &lt; 4`,
    `\n\t${mark}\n`,
    `<!-- note -->${mark}`,
    `<b>${mark}</b> loud`,
    '',
  ]);

const address = (random: Random, mark: string): string =>
  random.pick([
    `https://blog.example/${mark}`,
    `/${mark}`,
    `../${mark}?a=1&amp;b=2`,
    `https://blog.example/${mark}?a=1&b=2`,
    ` https://blog.example/${mark} `,
    `//cdn.example/${mark}`,
  ]);

const html = (random: Random, mark: string): string =>
  random.pick([
    `&lt;p&gt;${mark} ${random.pick(WORDS)}&lt;/p&gt;`,
    `<![CDATA[<p>${mark}<br>&nbsp;<img src="/a.png"></p>]]>`,
    `<![CDATA[${mark} ]]]]><![CDATA[> end]]>`,
    `${mark} <p>unescaped</p>`,
    `${mark} \u0007bell &#8217; &#x1F600; &unknown;`,
    `${mark} ${'long '.repeat(200)}`,
  ]);

function shuffled<T>(random: Random, parts: readonly T[]): T[] {
  const order = [...parts];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/** A document with faults around its entries. */
function damaged(random: Random, document: string): string {
  const before = random.pick(['', '', '', '\n', ' \r\n', '<!-- made by hand -->\n']);
  const sheet = random.pick(['', '', '<?xml-stylesheet href="/a.xsl" type="text/xsl"?>\n']);
  const whole = `${sheet}${before}${document}`;
  const fault = random.below(10);
  if (fault === 0) return whole.slice(0, Math.floor(whole.length * (0.4 + 0.6 * random.next())));
  if (fault === 1) return whole.replace(/<\/(?:channel|rss|feed|rdf:RDF)>/g, '');
  if (fault === 2) return `${whole}\n<script>document.write("</rss>")</script>`;
  if (fault === 3) return whole.replace(/<\/(?:item|entry)>/, '');
  if (fault === 4) return whole.replaceAll('\n', '\r\n');
  return whole;
}

type Encoded = Pick<WildFeed, 'body' | 'contentType'>;

function encoded(random: Random, document: string, type: string): Encoded {
  const declared = (name: string): string => `<?xml version="1.0" encoding="${name}"?>\n${document}`;
  const latin = (name: string): Buffer => Buffer.from(declared(name), 'latin1');
  const wide = Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le');
  return random.pick<() => Encoded>([
    () => ({ body: Buffer.from(document), contentType: type }),
    () => ({ body: Buffer.from(declared('utf-8')), contentType: `${type}; charset=utf-8` }),
    () => ({ body: Buffer.from(`\ufeff${declared('utf-8')}`), contentType: type }),
    () => ({ body: wide, contentType: type }),
    () => ({ body: Buffer.from(wide).swap16(), contentType: type }),
    () => ({ body: latin('ISO-8859-1'), contentType: type }),
    () => ({ body: latin('windows-1252'), contentType: `${type}; charset=windows-1252` }),
    // Bytes that are not of the encoding that the document names.
    () => ({ body: latin('utf-8'), contentType: type }),
    () => ({ body: Buffer.from(declared('ISO-8859-1')), contentType: `${type}; charset=iso-8859-1` }),
    () => ({ body: Buffer.from(declared('no-such-encoding')), contentType: 'text/html' }),
  ])();
}

function jsonFeed(random: Random, marks: readonly string[]): WildFeed {
  const list = marks.map((mark) => ({
    ...(random.chance(0.8) && { id: random.pick([mark, Number(mark.replace(/\D/g, ''))]) }),
    ...(random.chance(0.8) && { url: address(random, mark) }),
    ...(random.chance(0.5) && { title: `${mark} <b>` }),
    ...(random.chance(0.5) && { date_published: random.pick(DATES) }),
    content_html: `<p>${mark}</p>`,
  }));
  const feed = { version: 'https://jsonfeed.org/version/1.1', title: 'Blog', items: list };
  const mark = random.pick(['', '\ufeff', '\n']);
  return {
    form: 'json',
    body: Buffer.from(mark + JSON.stringify(feed)),
    contentType: 'application/feed+json',
  };
}
