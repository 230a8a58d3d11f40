import { Conversations, type Opening, type Reply, type Statement } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json, type RequestFacts } from '../server/answer.js';

/** The one repository; one with an earlier name leads to it, and one has its issues switched off. */
const REPOSITORY = 'acme/widgets';
const RENAMED = /^\/repos\/acme\/old-widgets(?=\/)/;
const WITHOUT_ISSUES = /^\/repos\/acme\/silent\/issues$/;
const ISSUES = `/repos/${REPOSITORY}/issues`;
/** Distance between the numbers of the first comments of issues. */
const STRIDE = 5_000;
const DISCUSSIONS_PER_PAGE = 50;

/** A synthetic GitHub: issues, every fifth of them a pull request, and discussions. Maps a path to a response. */
export class GitHubRoutes {
  private readonly issues: Conversations;
  private readonly discussions: Conversations;

  constructor(data: DataSet) {
    this.issues = new Conversations(data, 'programming');
    this.discussions = new Conversations(data, 'askanything');
  }

  answer(path: string, params: URLSearchParams, facts: RequestFacts): Answer {
    if (RENAMED.test(path)) {
      const location = `${facts.base}${path.replace(RENAMED, `/repos/${REPOSITORY}`)}?${params.toString()}`;
      return json(301, { message: 'Moved Permanently', url: location }, { location });
    }
    if (WITHOUT_ISSUES.test(path)) return json(410, { message: 'Issues are disabled for this repo' });
    if (path === '/graphql') return this.graphql(facts);
    const page = (items: readonly object[], wrap = (shown: readonly object[]): unknown => shown): Answer =>
      pageOf(items, params, `${facts.base}${path}`, wrap);
    if (path === '/search/issues') {
      const author = /author:(\S+)/.exec(params.get('q') ?? '')?.[1] ?? '';
      const found = this.issues.all().filter((issue) => issue.author === author);
      if (found.length === 0)
        return json(422, { message: 'Validation Failed', errors: [{ message: NO_USERS }] });
      return page(
        found.map((issue) => this.issue(issue)),
        (items) => ({ total_count: found.length, incomplete_results: false, items }),
      );
    }
    if (path === ISSUES) {
      const since = new Date(params.get('since') ?? 0);
      return page(
        this.issues
          .all()
          .map((issue) => this.issue(issue))
          .filter(({ updated_at: updated }) => new Date(updated) >= since),
      );
    }
    if (path === `${ISSUES}/comments`)
      return page(this.issues.all().flatMap((issue) => this.comments(issue)));
    const [, number, comments] = /^\/(\d+)(\/comments)?$/.exec(path.slice(ISSUES.length)) ?? [];
    const issue = path.startsWith(ISSUES) ? this.issues.find(Number(number) - 1) : null;
    if (issue === null) return json(404, { message: 'Not Found' });
    return comments === undefined ? json(200, this.issue(issue)) : page(this.comments(issue));
  }

  private issue({ index, title, author, text, createdAt, likes }: Opening) {
    const replies = this.issues.replies(index);
    const number = index + 1;
    return {
      id: number,
      number,
      title,
      body: text,
      user: { login: author },
      labels: [{ name: 'bug' }],
      state: 'open',
      comments: replies.length,
      created_at: createdAt.toISOString(),
      updated_at: (replies.at(-1)?.createdAt ?? createdAt).toISOString(),
      reactions: { '+1': likes, '-1': 0 },
      repository_url: `https://api.github.com/repos/${REPOSITORY}`,
      ...(number % 5 === 0 && { pull_request: { url: '' } }),
    };
  }

  private comments({ index }: Opening): object[] {
    return this.issues.replies(index).map(({ author, text, createdAt, likes }, at) => ({
      id: (index + 1) * STRIDE + at,
      body: text,
      user: { login: author },
      created_at: createdAt.toISOString(),
      reactions: { '+1': likes, '-1': 0 },
      issue_url: `https://api.github.com/repos/${REPOSITORY}/issues/${index + 1}`,
    }));
  }

  /** Answers the queries of the service, by their variables: a listing, or a discussion with its comments. */
  private graphql({ authorization, body }: RequestFacts): Answer {
    if (authorization === undefined)
      return json(401, { message: 'This endpoint requires you to be authenticated.' });
    const { variables = {} } = JSON.parse(body) as { variables?: Record<string, unknown> };
    if (`${String(variables.owner)}/${String(variables.name)}` !== REPOSITORY)
      return json(200, { data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] });
    const first = this.issues.count + 1;
    const numbered = (opening: Opening) => this.discussion(opening, first + opening.index);
    if (variables.number === undefined) {
      const from = Number(variables.after ?? 0);
      const all = this.discussions.all();
      const end = from + DISCUSSIONS_PER_PAGE;
      const discussions = connection(all.slice(from, end).map(numbered), end < all.length ? end : null);
      return json(200, { data: { repository: { nameWithOwner: REPOSITORY, discussions } } });
    }
    const opening = this.discussions.find(Number(variables.number) - first);
    const discussion = opening && numbered(opening);
    const errors = discussion === null && { errors: [{ type: 'NOT_FOUND' }] };
    return json(200, { data: { repository: { nameWithOwner: REPOSITORY, discussion } }, ...errors });
  }

  private discussion(opening: Opening, number: number): object {
    const replies = this.discussions.replies(opening.index);
    // A discussion has two levels: replies to replies belong to the comment above them.
    const topOf = (at: number): number => (replies[at]!.parent < 0 ? at : topOf(replies[at]!.parent));
    const below = new Map<number, object[]>();
    for (const [at, reply] of replies.entries()) {
      const top = topOf(at);
      if (top !== at) below.set(top, [...(below.get(top) ?? []), commentOf(opening, at, reply)]);
    }
    const nodes = [...replies.entries()]
      .filter(([, { parent }]) => parent < 0)
      .map(([at, reply]) => ({
        ...commentOf(opening, at, reply),
        replies: { totalCount: below.get(at)?.length ?? 0, nodes: below.get(at) ?? [] },
      }));
    return {
      number,
      title: opening.title,
      ...textOf(opening),
      updatedAt: (replies.at(-1)?.createdAt ?? opening.createdAt).toISOString(),
      category: { name: 'Q&A' },
      labels: { nodes: [] },
      comments: connection(nodes, null),
    };
  }
}

const NO_USERS =
  'The listed users cannot be searched either because the users do not exist or you do not have permission to view the users.';

const commentOf = ({ index }: Opening, at: number, reply: Reply): object => ({
  databaseId: (index + 1) * STRIDE + at,
  deletedAt: null,
  ...textOf(reply),
});

const textOf = ({ author, text, createdAt, likes }: Statement): object => ({
  body: text,
  createdAt: createdAt.toISOString(),
  upvoteCount: likes,
  author: { login: author },
});

const connection = (nodes: readonly object[], next: number | null): object => ({
  totalCount: nodes.length,
  pageInfo: { hasNextPage: next !== null, endCursor: next === null ? null : String(next) },
  nodes,
});

function pageOf(
  items: readonly object[],
  params: URLSearchParams,
  address: string,
  wrap: (shown: readonly object[]) => unknown,
): Answer {
  const [page, size] = [Number(params.get('page') ?? 1), Number(params.get('per_page') ?? 30)];
  const next = new URLSearchParams(params);
  next.set('page', String(page + 1));
  const isLast = items.length <= page * size;
  const link = `<${address}?${next.toString()}>; rel="next"`;
  return json(200, wrap(items.slice((page - 1) * size, page * size)), isLast ? {} : { link });
}
