import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';

export type Problem = components['schemas']['ProblemDto'];
export type PostListItem = components['schemas']['PostListItemDto'];
export type PostQuery = NonNullable<operations['listPosts']['parameters']['query']>;

export interface ClientOptions {
  /** Where the service listens, e.g. `http://127.0.0.1:3000`. */
  baseUrl: string;
  apiKey: string;
  /** In place of the global `fetch`, e.g. one with a time-out or a proxy. */
  fetch?: (request: Request) => Promise<Response>;
}

export type ScrapingClient = Client<paths>;

/** A refusal of the service, as an exception. */
export class ProblemError extends Error {
  constructor(
    readonly problem: Problem,
    /** From `Retry-After`; null when the service named no time. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = 'ProblemError';
  }
}

/** A client whose paths, parameters, bodies and answers have the contract's types. */
export function createScrapingClient({ baseUrl, apiKey, fetch }: ClientOptions): ScrapingClient {
  return createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey }, ...(fetch && { fetch }) });
}

/** The data of an answer. Throws {@link ProblemError} when it is a refusal. */
export async function dataOf<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  const wait = response.headers.get('retry-after');
  throw new ProblemError(error as Problem, wait === null ? null : Number(wait));
}

/** Every post that matches, page by page; rows that are there throughout come once, whatever is written meanwhile. */
export async function* eachPost(
  client: ScrapingClient,
  workspaceId: string,
  query: Omit<PostQuery, 'cursor'> = {},
): AsyncGenerator<PostListItem, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const page = await dataOf(
      client.GET('/api/v1/workspaces/{workspace_id}/posts', {
        params: { path: { workspace_id: workspaceId }, query: { ...query, ...(cursor && { cursor }) } },
      }),
    );
    yield* page.posts;
    if (!page.has_more) return;
    cursor = page.cursor;
  }
}
