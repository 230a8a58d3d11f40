import type { NotifiedPost } from './channel.js';
import { cleanText, ELLIPSIS, fitText } from './message-text.js';
import { beginningOf } from '../../common/strings.js';

/** Number of characters of context that are shown of a post: two lines on a phone. */
const CONTEXT_LENGTH = 96;
/** Number of them before the first marked word. */
const CONTEXT_BEFORE = 32;
/** Number of characters of a title in which words are marked; a longer one is cut. */
const TITLE_LENGTH = 200;

/** A piece of a text, marked where a word matched. */
export interface TextPart {
  text: string;
  isMarked: boolean;
}

/** A channel's form of text: the escapes, and the marks around words. */
export interface Markup {
  escape: (text: string) => string;
  open: string;
  close: string;
}

/** The title of a post in pieces, `Untitled` without one. */
export function titleParts({ title, highlights }: NotifiedPost): TextPart[] {
  const parts = fitParts(partsOf(highlights?.title, title), TITLE_LENGTH);
  return parts.length === 0 ? [{ text: 'Untitled', isMarked: false }] : parts;
}

/** The title of a post in at most `max` UTF-16 units; without marks where they do not fit. */
export function titleOf(post: NotifiedPost, max: number, markup: Markup): string {
  const marked = rendered(titleParts(post), markup);
  return marked.length <= max ? marked : fitText(post.title, max, markup.escape);
}

/** The part of a post's text around its first marked words, or its beginning. */
export function contextParts({ selftext, highlights }: NotifiedPost): TextPart[] {
  const [first, ...rest] = partsOf(highlights?.selftext, selftext);
  if (first === undefined || rest.length === 0 || first.isMarked || first.text.length <= CONTEXT_BEFORE)
    return fitParts(first === undefined ? [] : [first, ...rest], CONTEXT_LENGTH);
  const before = first.text.slice(-CONTEXT_BEFORE).replace(/^[\udc00-\udfff]/, '');
  const text = ELLIPSIS + before.slice(before.search(/\s/) + 1);
  return fitParts([{ text, isMarked: false }, ...rest], CONTEXT_LENGTH);
}

/** The context of a post as a channel writes it; empty for a post without text. */
export const contextOf = (post: NotifiedPost, markup: Markup): string => rendered(contextParts(post), markup);

/** Pieces as a channel writes them. */
export function rendered(parts: readonly TextPart[], { escape, open, close }: Markup): string {
  return parts.map(({ text, isMarked }) => (isMarked ? open + escape(text) + close : escape(text))).join('');
}

/** The pieces of a highlight, or a text as one piece without one. */
function partsOf(highlight: string | undefined, text: string): TextPart[] {
  if (highlight === undefined) return [{ text, isMarked: false }];
  return highlight
    .split(/<\/?mark>/)
    .map((piece, index) => ({ text: unescaped(piece), isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

/** As many characters as fit, without control characters; the last one of a text that is cut is an ellipsis. */
function fitParts(parts: readonly TextPart[], max: number): TextPart[] {
  const fitted: TextPart[] = [];
  let room = max;
  for (const [index, { text, isMarked }] of parts.entries()) {
    const clean = cleanText(beginningOf(text, 4 * max));
    const shown = fitted.length === 0 ? clean.trimStart() : clean;
    if (shown === '') continue;
    if (shown.length > room || text.length > 4 * max) {
      const space = shown.startsWith(' ') ? ' ' : '';
      fitted.push({ text: space + fitText(text, Math.max(1, room - space.length)), isMarked });
      return fitted;
    }
    const isLast = index === parts.length - 1;
    fitted.push({ text: isLast ? shown.trimEnd() : shown, isMarked });
    room -= shown.length;
  }
  return fitted.filter(({ text }) => text !== '');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const unescaped = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => ENTITIES[name]!);
