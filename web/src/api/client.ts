import createClient from 'openapi-fetch';
import { ApiError } from '#client/errors.ts';
import type { components, operations, paths } from '#client/schema.d.ts';

export { ApiError };
export type Schemas = components['schemas'];
export type PostQuery = NonNullable<operations['listPosts']['parameters']['query']>;
export type CommentQuery = NonNullable<operations['listComments']['parameters']['query']>;

/** Every operation of the contract, sent to the page's own origin with its session cookie. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' });

/**
 * The data of a successful response. Throws {@link ApiError} for a refusal, and the browser's error when there is no
 * response.
 */
export async function dataOf<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw await ApiError.from(response, error);
}

/** The address of a workspace's resource, for links, downloads and event streams. */
export function workspaceUrl(
  workspaceId: string,
  resource: string,
  query: Record<string, unknown> = {},
): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value]
        .flat()
        .flatMap((one: unknown) => (one === undefined || one === '' ? [] : [[name, String(one)]])),
    ),
  ).toString();
  return `/api/v1/workspaces/${workspaceId}${resource}${parameters === '' ? '' : `?${parameters}`}`;
}
