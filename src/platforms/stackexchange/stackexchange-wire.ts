import { distinctBy, groupBy } from '../../common/collections.js';
import { siteId } from '../../common/site-names.js';
import { plainText } from '../http/plain-text.js';
import {
  asCount,
  asDate,
  asInteger,
  asObject,
  asObjects,
  asTexts,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  storableUrl,
  unescaped,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import type { PlatformComment, PlatformPost, TreePost } from '../platform.js';
import { authorNamed, flairOf, PLAIN_POST, threadFields } from '../post-fields.js';

/** Prefix of the ids of questions, answers and comments. */
export const STACKEXCHANGE_PREFIX = 'se_';
/** Stands before the number of a comment in its id: comments are numbered apart from questions and answers. */
export const COMMENT_MARK = 'c';

/** The number within the id of an answer or comment; null when the item has none. */
export function numberOf(item: WireObject): string | null {
  const comment = asInteger(item.comment_id);
  if (comment !== null) return `${COMMENT_MARK}${comment}`;
  const post = asInteger(item.answer_id) ?? asInteger(item.question_id);
  return post === null ? null : String(post);
}

/** Reads a question; null without a number or time. */
export function readQuestion(site: string, wire: WireObject): PlatformPost | null {
  const number = asInteger(wire.question_id);
  const createdUtc = asDate(wire.creation_date);
  if (number === null || createdUtc === null) return null;
  const url = storableUrl(wire.link);
  return {
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
    flair: flairOf(asTexts(unescaped(wire.tags))),
  };
}

/** Whether a question or answer holds fewer comments than it counts. */
export function lacksComments(item: WireObject): boolean {
  return asObjects(item.comments).length < asCount(item.comment_count);
}

/**
 * The answers and comments of a thread, answers before their comments, and how many of them are not there. `rest`
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
  let missing = Math.max(0, asCount(question.answer_count) - answers.length);
  const add = (item: WireObject, parentId: string, depth: number): string | null => {
    const number = numberOf(item);
    const createdUtc = asDate(item.creation_date);
    if (number === null || createdUtc === null) {
      missing += 1 + asCount(item.comment_count);
      return null;
    }
    const id = siteId(STACKEXCHANGE_PREFIX, site, number);
    comments.push({
      id,
      ...threadFields(post),
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
    const all = [...asObjects(of.comments), ...(apart.get(asInteger(of.answer_id ?? of.question_id)) ?? [])];
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

/** Answers, comments on the question, and comments on the answers. */
function countOf(question: WireObject): number {
  const counts = [question, ...asObjects(question.answers)].map(({ comment_count }) =>
    asCount(comment_count),
  );
  return counts.reduce((sum, count) => sum + count, asCount(question.answer_count));
}

/** The number of an account; null for a deleted one. */
function ownerOf({ owner }: WireObject): number | null {
  return asInteger(asObject(owner)?.user_id);
}

/** A deleted account keeps a name that stands for it. */
function authorOf({ owner }: WireObject): string {
  return authorNamed(unescaped(asObject(owner)?.display_name));
}
