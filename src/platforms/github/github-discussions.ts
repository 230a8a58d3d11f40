import { JsonClient } from '../http/json-client.js';
import {
  asCount,
  asId,
  asObject,
  asObjects,
  asText,
  asTime,
  MAX_BODY_LENGTH,
  storableText,
  visibleName,
  type WireObject,
} from '../http/response-parsing.js';
import { type Attempt, faulty, unreadable } from '../http/with-retry.js';
import { flairOf } from '../post-fields.js';
import { type PlatformPost, type PlatformSession, UNKNOWN_RATIO } from '../platform.js';
import { type ItemPage, unexpected } from './github-api.js';
import type { GitHubThread } from './github-target.js';
import { type GitHubComment, loginOf, readThreadPost } from './github-wire.js';

/** Comments of discussions are numbered apart from those on issues. */
const MARK = 'd';
const POST = `number title body createdAt updatedAt upvoteCount author { login } category { name }
  labels(first: 20) { nodes { name } } comments(first: 100) { totalCount nodes { replies { totalCount } } }`;
const COMMENT = 'databaseId body createdAt deletedAt upvoteCount author { login }';
const LISTING = `query($owner: String!, $name: String!, $after: String) { repository(owner: $owner, name: $name) {
  nameWithOwner discussions(first: 50, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
    pageInfo { hasNextPage endCursor } nodes { ${POST} } } } }`;
const ONE = `query($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) {
  nameWithOwner discussion(number: $number) { ${POST} } } }`;
const THREAD = `query($owner: String!, $name: String!, $number: Int!, $after: String) { repository(owner: $owner, name: $name) {
  discussion(number: $number) { author { login } comments(first: 100, after: $after) {
    pageInfo { hasNextPage endCursor } nodes { ${COMMENT} replies(first: 100) { totalCount nodes { ${COMMENT} } } } } } } }`;

/** A page of the comments of a discussion. */
export interface DiscussionPage {
  /** Who began the discussion. */
  author: string;
  /** Comments before their replies, each with the key of the comment that it answers. */
  comments: { comment: GitHubComment; parent: string | null }[];
  /** Listed comments that cannot be read, and replies beyond those that a request gives. */
  missing: number;
  next: string | null;
}

/** The discussions of repositories, through the GraphQL API, which needs a token. */
export class GitHubDiscussions {
  constructor(private readonly client: JsonClient) {}

  /** A page of a repository's discussions, latest activity first, to the last one with activity since a time. */
  async readDiscussions(
    repository: string,
    after: string | null,
    since: Date | undefined,
    session: PlatformSession,
  ): Promise<Pick<ItemPage, 'next'> & { posts: (PlatformPost | null)[] }> {
    const what = `the discussions of ${repository}`;
    const found = await this.ask(what, LISTING, repository, { after }, session);
    const { nodes, next } = connectionOf(found?.discussions);
    const isCurrent = ({ updatedAt }: WireObject): boolean =>
      since === undefined || (asTime(updatedAt) ?? since) >= since;
    const current = nodes.filter(isCurrent);
    const posts = current.map((node) => readDiscussion(asText(found?.nameWithOwner) ?? repository, node));
    return { posts, next: current.length < nodes.length ? null : next };
  }

  /** A discussion; `gone` when a repository that visitors see has none with its number, null when there is no such repository. */
  async readDiscussion(
    { repository, number }: GitHubThread,
    session: PlatformSession,
  ): Promise<PlatformPost | 'gone' | null> {
    const what = `the discussion ${repository}#${number}`;
    const found = await this.ask(what, ONE, repository, { number: Number(number) }, session);
    const discussion = asObject(found?.discussion);
    if (discussion === null) return found && 'gone';
    return readDiscussion(asText(found?.nameWithOwner) ?? repository, discussion);
  }

  /** A page of the comments of a discussion; null when there is no such discussion. */
  async readComments(
    { repository, number }: GitHubThread,
    after: string | null,
    session: PlatformSession,
  ): Promise<DiscussionPage | null> {
    const what = `the comments of ${repository}#${number}`;
    const found = await this.ask(what, THREAD, repository, { number: Number(number), after }, session);
    const discussion = asObject(found?.discussion);
    if (discussion === null) return null;
    const { nodes, next } = connectionOf(discussion.comments);
    const page: DiscussionPage = { author: loginOf(discussion.author), comments: [], missing: 0, next };
    for (const node of nodes) {
      const top = readDiscussionComment(node);
      const replies = asObject(node.replies);
      const answers = asObjects(replies?.nodes);
      page.missing += Math.max(0, asCount(replies?.totalCount) - answers.length) + (top === null ? 1 : 0);
      if (top !== null && asText(node.deletedAt) === null) page.comments.push({ comment: top, parent: null });
      for (const answer of answers) {
        const comment = readDiscussionComment(answer);
        if (comment === null) page.missing += 1;
        else if (asText(answer.deletedAt) === null) page.comments.push({ comment, parent: top?.key ?? null });
      }
    }
    return page;
  }

  /** The repository in the answer to a query; null when visitors see none. */
  private ask(
    what: string,
    query: string,
    repository: string,
    more: object,
    session: PlatformSession,
  ): Promise<WireObject | null> {
    const [owner, name] = repository.split('/');
    return this.client.fetch<WireObject | null>(
      {
        what,
        path: '/graphql',
        params: {},
        json: JSON.stringify({ query, variables: { owner, name, ...more } }),
        isUrgent: true,
        read: readAnswer,
        refused: (status, body) => unexpected(what, status, body),
      },
      session,
    );
  }
}

/** Errors stand in an answer of status 200, with null in place of what is not there. */
function readAnswer(json: unknown): Attempt<WireObject | null> {
  const body = asObject(json);
  const data = asObject(body?.data);
  const types = asObjects(body?.errors).map(({ type }) => type);
  if (types.includes('RATE_LIMITED')) return faulty('rate_limited', 'the limit of the GraphQL API');
  if (data === null || types.some((type) => type !== 'NOT_FOUND'))
    return unreadable(`an answer with the errors ${types.join(', ')}`);
  return { done: true, value: asObject(data.repository) };
}

function connectionOf(value: unknown): { nodes: WireObject[]; next: string | null } {
  const connection = asObject(value);
  const pageInfo = asObject(connection?.pageInfo);
  return {
    nodes: asObjects(connection?.nodes),
    next: pageInfo?.hasNextPage === true ? asText(pageInfo.endCursor) : null,
  };
}

function readDiscussion(repository: string, discussion: WireObject): PlatformPost | null {
  const comments = asObject(discussion.comments);
  const replies = asObjects(comments?.nodes).map(({ replies }) => asCount(asObject(replies)?.totalCount));
  const labels = asObjects(asObject(discussion.labels)?.nodes);
  return readThreadPost(repository, 'discussions', discussion, {
    author: loginOf(discussion.author),
    score: asCount(discussion.upvoteCount),
    upvoteRatio: UNKNOWN_RATIO,
    numComments: replies.reduce((sum, count) => sum + count, asCount(comments?.totalCount)),
    flair: flairOf([asObject(discussion.category), ...labels].flatMap((one) => visibleName(one?.name) || [])),
    createdUtc: asTime(discussion.createdAt),
  });
}

function readDiscussionComment(comment: WireObject): GitHubComment | null {
  const number = asId(comment.databaseId);
  const createdUtc = asTime(comment.createdAt);
  if (number === null || createdUtc === null) return null;
  return {
    key: `${MARK}${number}`,
    author: loginOf(comment.author),
    body: storableText(comment.body, MAX_BODY_LENGTH),
    score: asCount(comment.upvoteCount),
    createdUtc,
  };
}
