import type { Client } from 'openapi-fetch';
import { dataOf } from './answers.js';
import { ROUTES } from './routes.js';
import type { operations, paths } from './schema.js';

type Routes = typeof ROUTES;
type Json<T> = T extends { content: { 'application/json': infer J } } ? J : never;
type Present<T> = [T] extends [never] ? unknown : T;
type PathOf<O> = O extends { parameters: { path: infer P } } ? Omit<P, 'workspace_id'> : unknown;
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Present<NonNullable<Q>> : unknown;
type BodyOf<O> = O extends { requestBody?: infer B } ? Present<Json<NonNullable<B>>> : unknown;
type Input<O> = PathOf<O> & QueryOf<O> & BodyOf<O>;
type AnswerOf<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202)]> : never;
type Call<O> =
  object extends Input<O>
    ? (input?: Input<O>) => Promise<AnswerOf<O>>
    : (input: Input<O>) => Promise<AnswerOf<O>>;

/** The operations of the contract by resource: parameters of path and query and the fields of the body are one object. */
export type Resources = {
  readonly [R in keyof Routes]: {
    readonly [M in keyof Routes[R]]: Routes[R][M] extends { id: infer Id extends keyof operations }
      ? Call<operations[Id]>
      : never;
  };
};

interface Route {
  method: string;
  path: string;
  query?: readonly string[];
  isIdempotent?: true;
}
interface Sent {
  params: { path: object; query: object; header: object };
  body?: object;
}
type Request = (
  method: string,
  path: string,
  sent: Sent,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

const PREFIX = '/api/v1/workspaces/{workspace_id}';

/** The methods by resource. They throw `ApiError` when the service refuses. */
export function resourcesOf(api: Client<paths>, path: { workspace_id: string }): Resources {
  const request = api.request as unknown as Request;
  const call = (route: Route, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    dataOf(request(route.method.toLowerCase(), `${PREFIX}${route.path}`, sentBy(route, path, input)));
  const methodsOf = (routes: Readonly<Record<string, Route>>): object =>
    mapped(routes, (route) => (input?: Record<string, unknown>) => call(route, input));
  return mapped(ROUTES, methodsOf) as unknown as Resources;
}

function sentBy(
  { path, query, isIdempotent }: Route,
  own: object,
  input: Readonly<Record<string, unknown>>,
): Sent {
  const inPath = (name: string): boolean => path.includes(`{${name}}`);
  const inQuery = (name: string): boolean => !inPath(name) && (query === undefined || query.includes(name));
  const some = (isWanted: (name: string) => boolean): object =>
    Object.fromEntries(Object.entries(input).filter(([name]) => isWanted(name)));
  return {
    params: {
      path: { ...own, ...some(inPath) },
      query: some(inQuery),
      header: isIdempotent ? { 'Idempotency-Key': crypto.randomUUID() } : {},
    },
    ...(query !== undefined && { body: some((name) => !inPath(name) && !inQuery(name)) }),
  };
}

const mapped = <T>(record: Readonly<Record<string, T>>, map: (value: T) => unknown): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
