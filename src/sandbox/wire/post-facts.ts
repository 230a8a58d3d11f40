import { postText, slugOf } from '../text/text.js';
import type { Forum, PostKind } from '../data/forums.js';
import { hash } from '../data/random.js';
import type { DataSet } from '../data/data-set.js';

/** `/r/…/comments/…/…/` of a post. */
export function permalinkOf(forum: Forum, index: number, data: DataSet): string {
  return `/r/${forum.name}/comments/${data.ids.post(forum.number, index)}/${slugOf(titleAndBody(forum, index, kindOf(forum, index, data), data).title)}/`;
}

/** The visible author and text of a post after deletion or removal. */
export function ownership(forum: Forum, index: number, body: string, data: DataSet) {
  const author = data.author(forum, index);
  if (data.fate(forum, index) === 'deleted')
    return { author, text: body === '' ? '' : '[deleted]', removedBy: 'deleted' };
  if (data.isRemoved(forum, index))
    return { author, text: body === '' ? '' : '[removed]', removedBy: 'moderator' };
  if (author !== null) return { author, text: body, removedBy: null };
  // A deleted account keeps its texts; a post deleted by its author loses its text.
  const isTakenDown = hash(data.seed, 62, forum.number, index) % 2 === 0;
  return isTakenDown
    ? { author, text: body === '' ? '' : '[deleted]', removedBy: 'deleted' }
    : { author, text: body, removedBy: null };
}

/**
 * The kind of a post. Crossposts without a post to quote are links, and so are crossposts that are quoted themselves.
 */
export function kindOf(forum: Forum, index: number, data: DataSet, mayQuote = true): PostKind {
  if (data.isSticky(forum, index)) return 'self';
  const kind = data.kind(forum, index);
  return kind === 'crosspost' && !(mayQuote && quoted(forum, index, data)) ? 'link' : kind;
}

/** Title and Markdown body of a post before removal. */
export function titleAndBody(forum: Forum, index: number, kind: PostKind, data: DataSet) {
  if (data.isSticky(forum, index))
    return {
      title: `Weekly thread: ask r/${forum.name} anything`,
      body: 'Please read the **rules** first & be kind.',
    };
  const added = data.edits.post(forum.number, index);
  const text = postText(
    forum.subject,
    hash(data.seed, 63, forum.number, original(forum, index, kind, data)),
    kind === 'self',
  );
  if (added)
    return { title: added.title ?? text.title, body: kind === 'self' ? (added.selftext ?? text.body) : '' };
  return original(forum, index, kind, data) === index ? text : { ...text, title: `${text.title} (repost)` };
}

/** Some links are posted again within a few posts, with another title and a tracking parameter. */
function original(forum: Forum, index: number, kind: PostKind, data: DataSet): number {
  const bits = hash(data.seed, 64, forum.number, index);
  return kind === 'link' && index > 20 && bits % 40 === 0 ? index - 1 - ((bits >>> 8) % 12) : index;
}

/** The external address of a link post; reposts carry a tracking parameter. */
export function linkOf(forum: Forum, index: number, data: DataSet): string {
  const added = data.edits.post(forum.number, index)?.url;
  if (added != null) return added;
  const source = original(forum, index, 'link', data);
  const { title } = postText(forum.subject, hash(data.seed, 63, forum.number, source), false);
  const address = `https://news.example/${forum.name}/${source}/${encodeURIComponent(slugOf(title))}`;
  return source === index ? address : `${address}?utm_source=share`;
}

/** The older post of another built-in forum that a crosspost shows. */
export function quoted(forum: Forum, index: number, data: DataSet): { forum: Forum; index: number } | null {
  const bits = hash(data.seed, 65, forum.number, index);
  const other = data.forums[(forum.number + (bits % 3)) % Math.min(4, data.forums.length)]!;
  const before = data.createdAt(forum, index);
  const position = bits % Math.max(1, Math.floor(other.posts / 2));
  if (other === forum || position >= other.posts || data.createdAt(other, position) >= before) return null;
  return { forum: other, index: position };
}
