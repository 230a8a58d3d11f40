import {
  asCount,
  asId,
  asObject,
  asObjects,
  asText,
  asTime,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  storableText,
  visibleName,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { authorNamed, flairOf, PLAIN_POST, threadFields } from '../post-fields.js';
import {
  DELETED,
  type PlatformComment,
  type PlatformPost,
  type TreePost,
  UNKNOWN_RATIO,
} from '../platform.js';
import { GITHUB_PREFIX, postIdOf } from './github-target.js';

/** Stands for accounts that are deleted. */
const GHOST = 'ghost';
const REPOSITORY_URL = /\/repos\/([^/]+\/[^/]+)(?:\/issues\/(\d+))?$/;

/** A comment of a thread, on an issue or within a discussion. */
export interface GitHubComment {
  /** Its number; of a discussion with a mark before it, because these are numbered apart. */
  key: string;
  author: string;
  body: string;
  score: number;
  createdUtc: Date;
}

/** Reads an issue or a pull request; null without a repository, number, time or title. Texts are Markdown as written. */
export function readIssue(value: unknown): PlatformPost | null {
  const issue = asObject(value);
  const [, repository] = REPOSITORY_URL.exec(asText(issue?.repository_url) ?? '') ?? [];
  const { up, down } = reactionsOf(issue);
  const kind = issue?.pull_request === undefined ? 'issues' : 'pull';
  return issue === null || repository === undefined
    ? null
    : readThreadPost(repository, kind, issue, {
        author: loginOf(issue.user),
        score: up - down,
        upvoteRatio: up + down === 0 ? UNKNOWN_RATIO : up / (up + down),
        numComments: asCount(issue.comments),
        flair: flairOf(asObjects(issue.labels).flatMap(({ name }) => visibleName(name) || [])),
        createdUtc: asTime(issue.created_at),
      });
}

/** A post of what issues and discussions have in common; null without a number, time or title. */
export function readThreadPost(
  repository: string,
  kind: 'issues' | 'pull' | 'discussions',
  { number: given, title, body }: WireObject,
  fields: Pick<PlatformPost, 'author' | 'score' | 'upvoteRatio' | 'numComments' | 'flair'> & {
    createdUtc: Date | null;
  },
): PlatformPost | null {
  const number = asId(given);
  const { createdUtc } = fields;
  if (number === null || createdUtc === null || typeof title !== 'string') return null;
  return {
    ...PLAIN_POST,
    ...fields,
    createdUtc,
    id: postIdOf({ repository, number }),
    forum: `github:${repository}`,
    title: visibleText(title, MAX_TITLE_LENGTH),
    permalink: `/${repository}/${kind}/${number}`,
    selftext: storableText(body, MAX_BODY_LENGTH),
  };
}

/** Reads a comment on an issue; null without a number or time. */
export function readComment(value: unknown): GitHubComment | null {
  const comment = asObject(value);
  const number = asId(comment?.id);
  const createdUtc = asTime(comment?.created_at);
  if (comment === null || number === null || createdUtc === null) return null;
  const { up, down } = reactionsOf(comment);
  return {
    key: String(number),
    author: loginOf(comment.user),
    body: storableText(comment.body, MAX_BODY_LENGTH),
    score: up - down,
    createdUtc,
  };
}

/** The number of the issue to which a comment belongs, in a list of those of a repository; null for an unexpected value. */
export function issueOf(value: unknown): string | null {
  return REPOSITORY_URL.exec(asText(asObject(value)?.issue_url) ?? '')?.[2] ?? null;
}

/** A comment in the thread of a post; `parent` is the comment that it replies to, null for none. */
export function mapComment(
  post: TreePost,
  postAuthor: string,
  { key, ...comment }: GitHubComment,
  parent: string | null = null,
): PlatformComment {
  return {
    ...comment,
    id: commentIdOf(key),
    ...threadFields(post),
    parentId: parent === null ? post.id : commentIdOf(parent),
    depth: parent === null ? 0 : 1,
    isSubmitter: comment.author === postAuthor && postAuthor !== DELETED,
  };
}

/** The id of a comment by its key. */
export const commentIdOf = (key: string): string => `${GITHUB_PREFIX}${key}`;

/** The name of an account; `[deleted]` for one that is gone. */
export function loginOf(user: unknown): string {
  const login = authorNamed(asObject(user)?.login);
  return login === GHOST ? DELETED : login;
}

function reactionsOf(item: WireObject | null): { up: number; down: number } {
  const reactions = asObject(item?.reactions);
  return { up: asCount(reactions?.['+1']), down: asCount(reactions?.['-1']) };
}
