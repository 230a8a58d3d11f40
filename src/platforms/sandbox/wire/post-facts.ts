import { postText, slugOf } from '../text/text.js';
import type { Forum, PostKind } from '../world/forums.js';
import { hash } from '../world/hash.js';
import { postId } from '../world/ids.js';
import type { World } from '../world/world.js';

/** `/r/…/comments/…/…/` of a post. */
export function permalinkOf(forum: Forum, index: number, world: World): string {
  return `/r/${forum.name}/comments/${postId(forum.number, index)}/${slugOf(titleAndBody(forum, index, kindOf(forum, index, world), world).title)}/`;
}

/** Who a post belongs to now, and what is left of its text. */
export function ownership(forum: Forum, index: number, body: string, world: World) {
  const author = world.author(forum, index);
  if (world.isRemoved(forum, index))
    return { author, text: body === '' ? '' : '[removed]', removedBy: 'moderator' };
  if (author !== null) return { author, text: body, removedBy: null };
  // An account that is gone leaves its texts behind; a post that its author took down does not.
  const isTakenDown = hash(world.seed, 62, forum.number, index) % 2 === 0;
  return isTakenDown
    ? { author, text: body === '' ? '' : '[deleted]', removedBy: 'deleted' }
    : { author, text: body, removedBy: null };
}

export function kindOf(forum: Forum, index: number, world: World, mayQuote = true): PostKind {
  if (world.isSticky(forum, index)) return 'self';
  const kind = world.kind(forum, index);
  return kind === 'crosspost' && !(mayQuote && quoted(forum, index, world)) ? 'link' : kind;
}

export function titleAndBody(forum: Forum, index: number, kind: PostKind, world: World) {
  if (world.isSticky(forum, index))
    return {
      title: `Weekly thread: ask r/${forum.name} anything`,
      body: 'Please read the **rules** first & be kind.',
    };
  const text = postText(
    forum.subject,
    hash(world.seed, 63, forum.number, original(forum, index, kind, world)),
    kind === 'self',
  );
  return original(forum, index, kind, world) === index ? text : { ...text, title: `${text.title} (repost)` };
}

/** Some links are posted again within a few posts, with another title and a tracking parameter. */
function original(forum: Forum, index: number, kind: PostKind, world: World): number {
  const bits = hash(world.seed, 64, forum.number, index);
  return kind === 'link' && index > 20 && bits % 40 === 0 ? index - 1 - ((bits >>> 8) % 12) : index;
}

export function linkOf(forum: Forum, index: number, world: World): string {
  const source = original(forum, index, 'link', world);
  const { title } = postText(forum.subject, hash(world.seed, 63, forum.number, source), false);
  const address = `https://news.example/${forum.name}/${source}/${encodeURIComponent(slugOf(title))}`;
  return source === index ? address : `${address}?utm_source=share`;
}

/** The older post of another built-in forum that a crosspost shows. */
export function quoted(forum: Forum, index: number, world: World): { forum: Forum; index: number } | null {
  const bits = hash(world.seed, 65, forum.number, index);
  const other = world.forums[(forum.number + (bits % 3)) % Math.min(4, world.forums.length)]!;
  const before = world.createdAt(forum, index);
  const position = bits % Math.max(1, Math.floor(other.posts / 2));
  if (other === forum || position >= other.posts || world.createdAt(other, position) >= before) return null;
  return { forum: other, index: position };
}
