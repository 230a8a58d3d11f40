import { distinctBy, groupBy } from '../../common/collections.js';
import { siteId } from '../../common/site-names.js';
import { plainText } from '../http/plain-text.js';
import {
  asArray,
  asDate,
  asInteger,
  asObject,
  asText,
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TITLE_LENGTH,
  storableUrl,
  unescaped,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { PLAIN_POST } from '../plain-post.js';
import { DELETED, type PlatformComment, type PlatformPost, type TreePost } from '../platform.js';

/** Prefix of the ids of questions, answers and comments. */
export const STACKEXCHANGE_PREFIX = 'se_';
/** Stands before the number of a comment in its id: comments are numbered apart from questions and answers. */
const COMMENT_MARK = 'c';

/** A question with its thread, as far as the listing holds it. */
export interface Question {
  post: PlatformPost;
  wire: WireObject;
}

/** The kind of an answer or comment by the number in its id, and its number at the API. */
export function itemOf(number: string): { kind: 'answers' | 'comments'; number: string } {
  return number.startsWith(COMMENT_MARK)
    ? { kind: 'comments', number: number.slice(COMMENT_MARK.length) }
    : { kind: 'answers', number };
}

/** The number within the id of an answer or comment; null when the item has none. */
export function numberOf(item: WireObject): string | null {
  const comment = asInteger(item.comment_id);
  if (comment !== null) return `${COMMENT_MARK}${comment}`;
  const post = asInteger(item.answer_id) ?? asInteger(item.question_id);
  return post === null ? null : String(post);
}

/** Reads a question; null without a number or time. */
export function readQuestion(site: string, wire: WireObject): Question | null {
  const number = asInteger(wire.question_id);
  const createdUtc = asDate(wire.creation_date);
  if (number === null || createdUtc === null) return null;
  const url = storableUrl(wire.link);
  return {
    wire,
    post: {
      ...PLAIN_POST,
      id: siteId(STACKEXCHANGE_PREFIX, site, number),
      forum: `stackexchange:${site}`,
      title: visibleText(unescaped(wire.title), MAX_TITLE_LENGTH) || `Question ${number}`,
      author: authorOf(wire),
      createdUtc,
      permalink: url !== null && URL.canParse(url) ? new URL(url).pathname : `/questions/${number}`,
      score: asInteger(wire.score) ?? 0,
      numComments: countOf(wire),
      selftext: plainText(wire.body, MAX_BODY_LENGTH),
      flair: visibleText(
        asArray(unescaped(wire.tags))
          .flatMap((tag) => asText(tag) ?? [])
          .join(', '),
        MAX_NAME_LENGTH,
      ),
    },
  };
}

/** Whether a question or answer holds fewer comments than it counts. */
export function lacksComments(item: WireObject): boolean {
  return itemsIn(item.comments).length < (asInteger(item.comment_count) ?? 0);
}

/**
 * The answers and comments of a thread, answers before what is said of them, and how many of them are not there. `rest`
 * are comments that were read apart from it.
 */
export function readThread(
  site: string,
  post: TreePost,
  question: WireObject,
  answers: readonly WireObject[],
  rest: readonly WireObject[] = [],
): { comments: PlatformComment[]; missing: number } {
  const apart = groupBy(rest, (comment) => asInteger(comment.post_id));
  const asker = ownerOf(question);
  const comments: PlatformComment[] = [];
  let missing = Math.max(0, (asInteger(question.answer_count) ?? 0) - answers.length);
  const add = (item: WireObject, parentId: string, depth: number): string | null => {
    const number = numberOf(item);
    const createdUtc = asDate(item.creation_date);
    if (number === null || createdUtc === null) return null;
    const id = siteId(STACKEXCHANGE_PREFIX, site, number);
    comments.push({
      id,
      postId: post.id,
      forum: post.forum,
      postPermalink: post.permalink,
      parentId,
      author: authorOf(item),
      body: plainText(item.body, MAX_BODY_LENGTH),
      score: asInteger(item.score) ?? 0,
      createdUtc,
      depth,
      isSubmitter: asker !== null && ownerOf(item) === asker,
    });
    return id;
  };
  const addComments = (of: WireObject, parentId: string, depth: number): void => {
    const all = [...itemsIn(of.comments), ...(apart.get(asInteger(of.answer_id ?? of.question_id)) ?? [])];
    const own = distinctBy(all, (one) => one.comment_id);
    missing += Math.max(0, (asInteger(of.comment_count) ?? own.length) - own.length);
    for (const comment of own) add(comment, parentId, depth);
  };
  addComments(question, post.id, 0);
  for (const answer of answers) {
    const id = add(answer, post.id, 0);
    if (id !== null) addComments(answer, id, 1);
  }
  return { comments, missing };
}

/** The answers that a question holds; the API leaves out some of very many. */
export function answersIn(question: WireObject): WireObject[] {
  return itemsIn(question.answers);
}

/** Answers, comments on the question, and comments on the answers. */
function countOf(question: WireObject): number {
  const counts = [question, ...answersIn(question)].map(({ comment_count }) => asInteger(comment_count) ?? 0);
  return counts.reduce(
    (sum, count) => sum + Math.max(0, count),
    Math.max(0, asInteger(question.answer_count) ?? 0),
  );
}

function itemsIn(value: unknown): WireObject[] {
  return asArray(value)
    .map(asObject)
    .filter((item) => item !== null);
}

/** The number of an account; null for a deleted one. */
function ownerOf({ owner }: WireObject): number | null {
  return asInteger(asObject(owner)?.user_id);
}

/** A deleted account keeps a name that stands for it. */
function authorOf({ owner }: WireObject): string {
  return visibleText(unescaped(asObject(owner)?.display_name), MAX_NAME_LENGTH) || DELETED;
}
