import { childrenOf, escaped, readXml, RefusedXml, type XmlElement } from './feed-xml.js';

const PREFIX = 'feed:';

/** The targets of the feeds that an OPML document lists, in its order and as written; or why it is not read. */
export function readOpml(document: string): string[] | { refusal: string } {
  try {
    const root = readXml(document);
    if (root?.name === 'opml') return addressesIn(root).map((address) => `${PREFIX}${address}`);
    return { refusal: 'it is no OPML document (`<opml version="2.0">`)' };
  } catch (error) {
    if (!(error instanceof RefusedXml)) throw error;
    return { refusal: error.message };
  }
}

const addressesIn = (element: XmlElement): string[] =>
  childrenOf(element).flatMap((child) => {
    const address = child.name === 'outline' ? child.attributes.xmlurl : undefined;
    return [...(address === undefined ? [] : [address]), ...addressesIn(child)];
  });

/** The address in a target, as a document has it. */
export const addressOf = (target: string): string => target.slice(PREFIX.length);

/** An OPML document that lists the feeds among some targets. */
export function writeOpml(targets: readonly string[]): string {
  const addresses = targets.filter((target) => target.startsWith(PREFIX)).map(addressOf);
  const outlines = addresses.map(escaped).map((at) => `<outline type="rss" text="${at}" xmlUrl="${at}"/>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
<head><title>Feeds</title></head>
<body>
${outlines.join('')}</body>
</opml>
`;
}

/** A document with one feed. */
export const OPML_EXAMPLE = writeOpml([`${PREFIX}https://blog.example/feed.xml`]);
