import { Conversations, type Opening, type Reply, type Statement } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json, notFound } from '../server/answer.js';
import { htmlOf } from '../text/html.js';
import { escapeEntities } from '../wire/things.js';

/** Entries of a document; older ones follow on pages of their own. */
const PAGE_SIZE = 30;
const NAMESPACES =
  'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:atom="http://www.w3.org/2005/Atom"';

/** What a synthetic post is called in a feed. */
export const entryGuid = (index: number): string => `urn:synthetic:post:${index}`;
/** What a synthetic comment is called in a feed. */
export const commentGuid = (index: number, reply: number): string => `${entryGuid(index)}:${reply}`;

/** A synthetic site with a feed of RSS and one of JSON Feed, and feeds of comments. Maps a path to a response. */
export class FeedRoutes {
  private readonly entries: Conversations;

  constructor(data: DataSet) {
    this.entries = new Conversations(data, 'technology');
  }

  answer(path: string, params: URLSearchParams): Answer {
    const page = Number(params.get('page') ?? 0);
    if (path === '/rss.xml') return this.rss(page);
    if (path === '/feed.json') return this.json(page);
    const [, index] = /^\/comments\/(\d+)\.xml$/.exec(path) ?? [];
    const entry = index === undefined ? null : this.entries.find(Number(index));
    return entry === null ? notFound() : rssDocument('Comments', this.commentsOf(entry));
  }

  private page(page: number): { entries: Opening[]; isLast: boolean } {
    const all = this.entries.page(null, (page + 1) * PAGE_SIZE + 1);
    const from = Math.max(0, page) * PAGE_SIZE;
    return { entries: all.slice(from, from + PAGE_SIZE), isLast: all.length <= from + PAGE_SIZE };
  }

  private rss(page: number): Answer {
    const { entries, isLast } = this.page(page);
    const next = isLast ? [] : `<atom:link rel="next" href="/rss.xml?page=${page + 1}"/>`;
    const items = entries.map((entry) =>
      itemOf(
        entry,
        entryGuid(entry.index),
        `<title>${escapeEntities(entry.title)}</title><link>/posts/${entry.index}</link>` +
          `<slash:comments>${entry.replies}</slash:comments>` +
          (entry.replies > 0 ? `<wfw:commentRss>/comments/${entry.index}.xml</wfw:commentRss>` : ''),
      ),
    );
    return rssDocument('Synthetic feed', [next, items].flat());
  }

  private json(page: number): Answer {
    const { entries, isLast } = this.page(page);
    return json(200, {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Synthetic feed',
      ...(!isLast && { next_url: `/feed.json?page=${page + 1}` }),
      items: entries.map(({ index, title, author, text, createdAt }) => ({
        id: entryGuid(index),
        url: `/posts/${index}`,
        title,
        content_html: htmlOf(text),
        authors: [{ name: author }],
        date_published: createdAt.toISOString(),
      })),
    });
  }

  private commentsOf(entry: Opening): string[] {
    return this.entries
      .replies(entry.index)
      .map((reply: Reply, at) =>
        itemOf(reply, commentGuid(entry.index, at), `<title>By ${reply.author}</title>`),
      );
  }
}

function itemOf({ author, createdAt, text }: Statement, guid: string, more: string): string {
  return (
    `<item>${more}<guid isPermaLink="false">${guid}</guid><dc:creator>${escapeEntities(author)}</dc:creator>` +
    `<pubDate>${createdAt.toUTCString()}</pubDate><content:encoded>${escapeEntities(htmlOf(text))}</content:encoded></item>`
  );
}

function rssDocument(title: string, parts: readonly string[]): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/rss+xml; charset=UTF-8' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${NAMESPACES}><channel><title>${title}</title>\n${parts.join('\n')}\n</channel></rss>\n`,
  };
}
