import { decodeHTMLStrict } from 'entities';
import { SaxesParser } from 'saxes';

/** An element of a document of XML. */
export interface XmlElement {
  /** Local name with the usual prefix of its namespace, if it is known: `item`, `atom:link`, `dc:creator`. */
  name: string;
  /** By name as written. */
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
  parent: XmlElement | null;
}

/** Namespaces that belong to no vocabulary of a feed itself, by the beginning of their addresses. */
const PREFIXES: readonly [RegExp, string][] = [
  [/^https?:\/\/(?:www\.)?w3\.org\/2005\/atom|^http:\/\/purl\.org\/atom\/ns#/i, 'atom:'],
  [/^https?:\/\/(?:www\.)?w3\.org\/1999\/xhtml/i, 'xhtml:'],
  [/^http:\/\/purl\.org\/dc\//i, 'dc:'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content/i, 'content:'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/slash/i, 'slash:'],
  [/^https?:\/\/wellformedweb\.org\/commentapi/i, 'wfw:'],
  [/^https?:\/\/search\.yahoo\.com\/mrss/i, 'media:'],
  [/^http:\/\/purl\.org\/syndication\/thread/i, 'thr:'],
  [/^http:\/\/www\.itunes\.com\/dtds\/podcast/i, 'itunes:'],
  [/^http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns/i, 'rdf:'],
  [
    /^$|^http:\/\/purl\.org\/(?:rss\/1\.0|net\/rss1\.1)\W*$|\/\/(?:backend\.userland|my\.netscape|channel\.netscape)\.com/i,
    '',
  ],
];
const KNOWN = /^(?:atom|xhtml|dc|content|slash|wfw|media|thr|itunes|rdf):$/;
const MAX_DEPTH = 200;
const MAX_ELEMENTS = 300_000;
/** Attributes of one element. */
const MAX_ATTRIBUTES = 200;
/** Places where a document is not well-formed. Each may cost as much time as the text around it is long. */
const MAX_FAULTS = 5_000;
/** Characters of a document type. */
const MAX_DOCTYPE = 20_000;
/** An entity made of others, or of another document. */
const BOMB = /<!ENTITY\s(?:[^>]*?&(?!#)|[^>]*?\b(?:SYSTEM|PUBLIC)\b|\s*%)/i;

/** A document that is not read, because it would cost more than a feed. */
export class RefusedXml extends Error {}

/**
 * Reads a document as feeds are in the world: what is not well-formed is taken as well as it can be. Entities that the
 * document declares stay as they are written. Throws {@link RefusedXml} for entities made of entities, and for too many
 * elements or faults; null without an element.
 */
export function readXml(document: string): XmlElement | null {
  const root = elementOf('', {}, null);
  let open = root;
  let depth = 0;
  let elements = 0;
  let faults = 0;
  let attributesOfTag = 0;
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', () => {
    if ((faults += 1) > MAX_FAULTS) throw new RefusedXml('it has too many faults');
  });
  parser.on('doctype', (doctype) => {
    if (doctype.length > MAX_DOCTYPE || BOMB.test(doctype))
      throw new RefusedXml('it declares entities that are made of others');
  });
  parser.on('attribute', () => {
    if ((attributesOfTag += 1) > MAX_ATTRIBUTES) throw new RefusedXml('it has too many attributes');
  });
  parser.on('opentag', ({ uri, prefix, local, attributes }) => {
    if ((elements += 1) > MAX_ELEMENTS || (depth += 1) > MAX_DEPTH)
      throw new RefusedXml('it has too many elements');
    attributesOfTag = 0;
    const values = Object.values(attributes).map(({ name, value }) => [name.toLowerCase(), value]);
    const name = nameOf(uri, prefix, local);
    const element = elementOf(name, Object.fromEntries(values) as Record<string, string>, open);
    open.children.push(element);
    open = element;
  });
  const append = (text: string): void => void open.children.push(text);
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    depth -= 1;
    open = open.parent ?? root;
  });
  parser.write(prepared(document)).close();
  return childrenOf(root)[0] ?? null;
}

const elementOf = (
  name: string,
  attributes: Record<string, string>,
  parent: XmlElement | null,
): XmlElement => ({ name, attributes, children: [], parent });

/** A prefix without a namespace means what it usually means. */
function nameOf(uri: string, prefix: string, local: string): string {
  const own = `${prefix.toLowerCase()}:`;
  if (uri === prefix && KNOWN.test(own)) return own + local.toLowerCase();
  const [, known] = PREFIXES.find(([namespace]) => namespace.test(uri)) ?? [];
  return `${known ?? (prefix === '' ? '' : own)}${local.toLowerCase()}`;
}

/** Whether a text is `&` without the entity that it should begin, an entity of HTML, or a character that XML has not. */
const ODD =
  // eslint-disable-next-line no-control-regex -- Control characters are what is removed.
  /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{0,31});)|&([a-z][a-z\d]{0,31});|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gi;
const OF_XML = /^(?:amp|lt|gt|quot|apos)$/;

/** A document with what the parser would stumble over replaced, outside of its sections of CDATA. */
function prepared(document: string): string {
  const parts: string[] = [];
  let at = 0;
  const text = document.trimStart();
  for (;;) {
    const start = text.indexOf('<![CDATA[', at);
    const end = start < 0 ? -1 : text.indexOf(']]>', start);
    if (end < 0) break;
    parts.push(repaired(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  parts.push(repaired(text.slice(at)));
  return parts.join('');
}

function repaired(text: string): string {
  return text.replace(ODD, (match, entity: string | undefined) => {
    if (entity !== undefined) return OF_XML.test(entity) ? match : decodeHTMLStrict(match);
    return match === '&' ? '&amp;' : '';
  });
}

/** The elements within an element, of a name if one is given. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** The first element within another one that has one of some names, in their order; null without one. */
export function childOf(element: XmlElement | null, ...names: string[]): XmlElement | null {
  for (const name of names) {
    const child = element?.children.find((one) => typeof one !== 'string' && one.name === name);
    if (child !== undefined) return child as XmlElement;
  }
  return null;
}

/** All text within an element, without white space around it; "" for null. */
export function textOf(element: XmlElement | null): string {
  const inner = ({ children }: XmlElement): string =>
    children.map((child) => (typeof child === 'string' ? child : inner(child))).join('');
  return element === null ? '' : inner(element).trim();
}

/** The markup within an element, as HTML. */
export function markupOf({ children }: XmlElement): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return escaped(child);
      const name = child.name.replace(/^.*:/, '');
      const attributes = Object.entries(child.attributes).map(
        ([key, value]) => ` ${key}="${escaped(value)}"`,
      );
      return `<${name}${attributes.join('')}>${markupOf(child)}</${name}>`;
    })
    .join('');
}

/** A text as it stands in markup. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The address at which the relative ones within an element begin. */
export function baseOf(element: XmlElement | null, document: string): string {
  if (element === null) return document;
  const outer = baseOf(element.parent, document);
  return resolved(element.attributes['xml:base'], outer) ?? outer;
}

/** An address, made absolute; null for an empty one and for one that is none. */
export function resolved(address: string | null | undefined, base: string): string | null {
  const text = address?.trim() ?? '';
  return text !== '' && URL.canParse(text, base) ? new URL(text, base).href : null;
}
