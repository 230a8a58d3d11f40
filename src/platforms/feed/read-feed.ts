import { parseObject } from '../http/response-parsing.js';
import { attributeOf, htmlParts } from '../http/html-tags.js';
import { readAtom } from './atom.js';
import type { FeedContent } from './feed-entry.js';
import { readXml, resolved } from './feed-xml.js';
import { readJsonFeed } from './json-feed.js';
import { readRss } from './rss.js';

/** The feed in a document from an address; null for another document. Throws {@link RefusedXml}. */
export function readFeed(document: string, address: string): FeedContent | null {
  const text = document.trimStart();
  if (text.startsWith('{')) {
    const json = parseObject(text);
    return json && readJsonFeed(json, address);
  }
  if (!text.startsWith('<') || HTML.test(text)) return null;
  const root = readXml(text);
  if (root === null) return null;
  if (root.name === 'atom:feed' || root.name === 'feed') return readAtom(root, address);
  return ROOTS.has(root.name) ? readRss(root, address) : null;
}

const ROOTS: ReadonlySet<string> = new Set(['rss', 'rdf:rdf', 'channel']);
const HTML = /^<(?:!doctype html|html)\b/i;
const FEED_TYPE = /^(?:application\/(?:rss|atom|rdf|feed)\+(?:xml|json)|application\/json|text\/xml)\b/i;
/** Characters of a page in which its links stand. */
const PAGE_HEAD = 500_000;

/** The feed that a page of HTML from an address links as its own; one of comments only where there is no other. */
export function linkedFeed(page: string, address: string): string | null {
  const found: { href: string; isComments: boolean }[] = [];
  for (const part of htmlParts(page.slice(0, PAGE_HEAD))) {
    if (part.kind === 'text' || part.name !== 'link' || part.isClosing) continue;
    const [rel, type, href, title] = ['rel', 'type', 'href', 'title'].map((name) =>
      attributeOf(part.attributes, name),
    );
    const goal = resolved(href, address);
    const isFeed = FEED_TYPE.test(type ?? '') && !/json\+oembed|oembed/i.test(type ?? '');
    if (!/\balternate\b/i.test(rel ?? '') || !isFeed || goal === null || !/^https?:/.test(goal)) continue;
    if (/^application\/json/i.test(type ?? '') && !/feed/i.test(goal)) continue;
    found.push({ href: goal, isComments: /\bcomments?\b/i.test(`${title} ${goal}`) });
  }
  return (found.find(({ isComments }) => !isComments) ?? found[0])?.href ?? null;
}
