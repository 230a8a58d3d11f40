import type { Forum } from '../data/forums.js';
import type { DataSet } from '../data/data-set.js';
import { LISTING_CAP, type Listings } from '../data/listings.js';
import type { PostPosition } from '../data/numbered-ids.js';
import { CommentRenderer, NO_REPLIES } from '../wire/comments.js';
import { permalinkOf } from '../wire/post-facts.js';
import { renderPost, type WireContext } from '../wire/posts.js';
import { escapeEntities, keep } from '../wire/things.js';
import { type Answer, notFound, type Outcome } from './answer.js';
import { refuseForum } from './refused-targets.js';

/** Entries of a feed with and without `limit`, at most. */
const MOST = 100;
const USUAL = 25;
/** Forums that one feed may name. */
const MAX_FORUMS = 10;

const COMMENTS = /^\/(?:r\/[\w-]+\/)?comments\/([0-9a-z]+)(?:\/[^/]*)?$/;
const FORUMS = /^\/r\/([\w+-]+)(?:\/(new|comments))?$/;
const USER = /^\/(?:user|u)\/([\w-]+)(?:\/submitted)?$/;

/** What an entry shows of a post or comment. */
interface Shown {
  name: string;
  subreddit: string;
  author: string;
  created_utc: number;
  permalink: string;
}

type ShownPost = Shown & { title: string; url: string; selftext_html: string | null; thumbnail: string };
type ShownComment = Shown & { body_html: string };

interface CommentPosition extends PostPosition {
  comment: number;
  at: number;
}

/** The Atom feeds of the platform: of forums, their comments, a post and a user. No token is needed. */
export class RedditFeedRoutes {
  constructor(
    private readonly data: DataSet,
    private readonly listings: Listings,
  ) {}

  /** The feed at a path without its `.rss`. */
  answer(path: string, params: URLSearchParams, context: WireContext): Outcome {
    const wire = { ...context, escape: keep };
    const [, post] = COMMENTS.exec(path) ?? [];
    if (post !== undefined) return this.thread(path, post, params, wire);
    const [, user] = USER.exec(path) ?? [];
    if (user !== undefined) return this.user(path, user, params, wire);
    const [, names, kind] = FORUMS.exec(path) ?? [];
    return names === undefined
      ? notFound()
      : this.forums(path, names.split('+'), kind ?? 'hot', params, wire);
  }

  /** Of several forums, those that the platform refuses are left out. */
  private forums(
    path: string,
    names: readonly string[],
    kind: string,
    params: URLSearchParams,
    context: WireContext,
  ): Outcome {
    const forums = names.slice(0, MAX_FORUMS).flatMap((name) => this.data.forum(name) ?? []);
    if (forums.length === 0) return refuseForum(names[0]!);
    if (kind === 'comments') return document(path, this.newestComments(forums, limitOf(params), context));
    const posts = forums
      .flatMap((forum) => this.listings.ofForum(forum, kind === 'new' ? 'new' : 'hot', 'all'))
      .map((post) => ({ ...post, at: this.data.createdAt(this.forum(post), post.index) }));
    if (kind === 'new') posts.sort((a, b) => b.at - a.at || b.forum - a.forum || b.index - a.index);
    return document(path, this.page(posts.slice(0, LISTING_CAP), params, context));
  }

  private user(path: string, name: string, params: URLSearchParams, context: WireContext): Outcome {
    const author = this.data.authors.find(name);
    if (author === null) return notFound();
    return document(path, this.page(this.listings.ofAuthorSorted(author, 'new', 'all'), params, context));
  }

  private thread(path: string, id: string, params: URLSearchParams, context: WireContext): Outcome {
    const post = this.data.ids.parsePost(id);
    const forum = post && this.data.forumOf(post);
    if (!post || !forum) return notFound();
    const { size } = this.data.thread(forum, post.index);
    const comments = Array.from({ length: size }, (_, comment) => ({ ...post, comment }));
    const entries = comments.flatMap((at) => this.commentEntry(at, context) ?? []);
    return document(path, [this.postEntry(post, context), ...entries].slice(0, limitOf(params)));
  }

  private page(posts: readonly PostPosition[], params: URLSearchParams, context: WireContext): string[] {
    const after = this.data.ids.parsePost((params.get('after') ?? '').replace(/^t3_/, ''));
    const place = posts.findIndex((post) => post.forum === after?.forum && post.index === after.index);
    return posts.slice(place + 1, place + 1 + limitOf(params)).map((post) => this.postEntry(post, context));
  }

  private newestComments(forums: readonly Forum[], limit: number, context: WireContext): string[] {
    const all: CommentPosition[] = [];
    for (const forum of forums)
      for (const post of this.listings.ofForum(forum, 'new', 'all'))
        for (let comment = 0; comment < this.data.threadSize(forum, post.index); comment++)
          all.push({ ...post, comment, at: this.data.commentedAt(forum, post.index, comment) });
    all.sort((a, b) => b.at - a.at || b.forum - a.forum || b.index - a.index || b.comment - a.comment);
    const entries: string[] = [];
    for (const position of all) {
      if (entries.length === limit) break;
      entries.push(...[this.commentEntry(position, context) ?? []].flat());
    }
    return entries;
  }

  private postEntry(position: PostPosition, context: WireContext): string {
    const post = shown<ShownPost>(renderPost(this.forum(position), position.index, context));
    const address = `${this.data.site}${post.permalink}`;
    const picture = /^https?:/.test(post.thumbnail) ? post.thumbnail : null;
    const html =
      (post.selftext_html ?? '') +
      ` &#32; submitted by &#32; <a href="https://www.reddit.com/user/${post.author}"> /u/${post.author} </a> <br/> ` +
      `<span><a href="${escapeEntities(post.url)}">[link]</a></span> &#32; <span><a href="${address}">[comments]</a></span>`;
    return entryOf(post, address, {
      title: post.title,
      html,
      more:
        (picture === null ? '' : `<media:thumbnail url="${escapeEntities(picture)}" />`) +
        `<published>${timeOf(post)}</published>`,
    });
  }

  /** Null for a comment that the platform counts without showing it. */
  private commentEntry(
    { forum: number, index, comment }: Omit<CommentPosition, 'at'>,
    context: WireContext,
  ): string | null {
    const forum = this.data.forums[number - 1]!;
    const thread = this.data.thread(forum, index);
    if (thread.isUndelivered(comment)) return null;
    const renderer = new CommentRenderer(forum, index, thread, context);
    const row = shown<ShownComment>(renderer.comment(comment, null, NO_REPLIES));
    const title = `/u/${row.author} on ${permalinkOf(forum, index, this.data).split('/').at(-2)}`;
    return entryOf(row, `${this.data.site}${row.permalink}`, {
      title,
      html: `<!-- SC_OFF -->${row.body_html}<!-- SC_ON -->`,
      more: '',
    });
  }

  private forum(post: PostPosition): Forum {
    return this.data.forums[post.forum - 1]!;
  }
}

const shown = <T>(thing: string): T => (JSON.parse(thing) as { data: T }).data;

const timeOf = ({ created_utc: seconds }: Shown): string =>
  new Date(seconds * 1_000).toISOString().replace('.000Z', '+00:00');

function limitOf(params: URLSearchParams): number {
  const limit = Number.parseInt(params.get('limit') ?? '', 10);
  return Number.isNaN(limit) || limit < 1 ? USUAL : Math.min(MOST, limit);
}

function entryOf(
  row: Shown,
  address: string,
  { title, html, more }: { title: string; html: string; more: string },
): string {
  const author =
    row.author === '[deleted]'
      ? ''
      : `<author><name>/u/${row.author}</name><uri>https://www.reddit.com/user/${row.author}</uri></author>`;
  return (
    `<entry>${author}<category term="${row.subreddit}" label="r/${row.subreddit}"/>` +
    `<content type="html">${escapeEntities(html)}</content><id>${row.name}</id>${more}` +
    `<link href="${address}" /><updated>${timeOf(row)}</updated><title>${escapeEntities(title)}</title></entry>`
  );
}

const document = (path: string, entries: readonly string[]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/atom+xml; charset=UTF-8' },
  body:
    '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">' +
    `<id>${path}/.rss</id><link rel="self" href="https://www.reddit.com${path}/.rss" type="application/atom+xml" />` +
    `<title>${path}</title>${entries.join('')}</feed>`,
});
