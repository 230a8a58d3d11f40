import { type PlatformComment, type PlatformPost } from '../../platforms/platform.js';
import type { PlatformDefinition } from '../../platforms/platform-definition.js';

/** Characters that Postgres refuses: NUL and lone surrogates. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const MAX_INTEGER = 2_147_483_647;

/** Problems with the values of posts, as sentences. */
export function problemsOfPosts(
  { ids, prefix, parseForum }: PlatformDefinition,
  posts: readonly PlatformPost[],
): string[] {
  return posts.flatMap((post) => {
    const {
      id,
      title,
      author,
      selftext,
      forum,
      flair,
      permalink,
      createdUtc,
      score,
      upvoteRatio,
      numComments,
    } = post;
    const bare = prefix === null ? forum : forum.slice(prefix.length + 1);
    const parsed = parseForum?.(bare) ?? { name: bare };
    const isForum = 'name' in parsed && parsed.name.toLowerCase() === bare.toLowerCase();
    return [
      ...(isForum ? [] : [`${id}: \`parseForum\` does not accept its forum ${forum}`]),
      ...(id.startsWith(ids.post) ? [] : [`the post ${id} does not begin with ${ids.post}`]),
      ...textProblems(id, { title, author, selftext, forum, flair, permalink }),
      ...(permalink.startsWith('/') ? [] : [`${id}: \`permalink\` must begin with "/"`]),
      ...(author === '' || forum === '' ? [`${id}: \`author\` and \`forum\` must not be empty`] : []),
      ...valueProblems(id, createdUtc, [score, numComments]),
      ...(upvoteRatio >= 0 && upvoteRatio <= 1 ? [] : [`${id}: \`upvoteRatio\` must lie between 0 and 1`]),
    ];
  });
}

/** Problems with the values of comments and their order, as sentences. */
export function problemsOfComments(
  { ids }: PlatformDefinition,
  posts: readonly PlatformPost[],
  comments: readonly PlatformComment[],
): string[] {
  const known = new Set(posts.map(({ id }) => id));
  const depths = new Map<string, number>();
  return comments.flatMap(({ id, postId, parentId, author, body, depth, createdUtc, score }) => {
    const parentDepth = parentId === postId ? -1 : depths.get(parentId);
    depths.set(id, depth);
    return [
      ...(id.startsWith(ids.comment) ? [] : [`the comment ${id} does not begin with ${ids.comment}`]),
      ...(known.has(postId) ? [] : [`${id}: \`postId\` ${postId} is no listed post`]),
      ...(parentDepth !== undefined && depth !== parentDepth + 1
        ? [`${id}: \`depth\` must be one more than that of its parent`]
        : []),
      ...textProblems(id, { author, body }),
      ...(author === '' ? [`${id}: \`author\` must not be empty`] : []),
      ...valueProblems(id, createdUtc, [score]),
    ];
  });
}

function textProblems(id: string, texts: Record<string, unknown>): string[] {
  return Object.entries(texts).flatMap(([field, text]) =>
    typeof text !== 'string'
      ? [`${id}: \`${field}\` must be a text`]
      : UNSTORABLE.test(text)
        ? [`${id}: \`${field}\` has characters that cannot be stored; use storableText`]
        : [],
  );
}

function valueProblems(id: string, createdUtc: unknown, numbers: number[]): string[] {
  return [
    ...(createdUtc instanceof Date && !Number.isNaN(createdUtc.getTime())
      ? []
      : [`${id}: \`createdUtc\` must be a time`]),
    ...(numbers.every((number) => Number.isInteger(number) && Math.abs(number) <= MAX_INTEGER)
      ? []
      : [`${id}: scores and counts must be whole numbers of 32 bits`]),
  ];
}
