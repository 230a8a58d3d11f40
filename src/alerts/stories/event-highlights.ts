import { mapInSlices } from '../../common/slices.js';
import { MAX_POSTS_SHOWN } from '../../messages/channels/message-text.js';
import { highlightsIn } from '../../search/highlights.js';
import { type Condition, conditionOfQuery } from '../../search/query/condition.js';
import { parseQuery } from '../../search/query/parse-query.js';
import { conditionOfKeyword } from '../alert/keyword.js';
import { notifiedStories } from './notified-stories.js';
import type { AlertableBatch, AlertTriggeredData } from '../matching/triggering.js';

/** Maximum number of keywords that are looked for. */
const MAX_KEYWORDS = 10;

/** An event with highlights of the records that channels show. Their texts are those of the batch, which has them whole. */
export async function withHighlights(
  data: AlertTriggeredData,
  query: string | null,
  batch: AlertableBatch,
): Promise<AlertTriggeredData> {
  const shown = notifiedStories(data).slice(0, MAX_POSTS_SHOWN);
  const ofQuery = query === null ? [] : [conditionOfQuery(parseQuery(query).tree)];
  const highlight = (texts: Record<string, string>, keywords: readonly string[]) =>
    highlightsIn(texts, { kind: 'or', operands: [...conditionsOf(keywords), ...ofQuery] });
  const posts = new Map(batch.posts.map((post) => [post.id, post]));
  const comments = new Map(batch.comments.map((comment) => [comment.commentId, comment]));
  const found = await mapInSlices(shown, ({ post, comments: [comment] }) => {
    if (post !== null) {
      const { title, selftext } = posts.get(post.id)!;
      return [post, highlight({ title, selftext }, post.matched_keywords)] as const;
    }
    const { body } = comments.get(comment!.comment_id)!;
    return [comment!, highlight({ body }, comment!.matched_keywords)] as const;
  });
  const highlights = new Map<object, Record<string, string>>(found);
  const highlighted = <Shown extends object>(one: Shown): Shown =>
    highlights.has(one) ? { ...one, highlights: highlights.get(one)! } : one;
  const shownPosts = data.posts.map(highlighted);
  return {
    ...data,
    posts: shownPosts,
    comments: data.comments.map(highlighted),
    matched_posts: shownPosts,
  };
}

const conditionsOf = (keywords: readonly string[]): Condition[] =>
  keywords.slice(0, MAX_KEYWORDS).map(conditionOfKeyword);
