import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ApiError } from './client.ts';

const PATH = '/api/v1/session';

export type Scope = 'read' | 'write' | 'admin';

export interface Session {
  workspace_id: string;
  workspace_name: string;
  scopes: Scope[];
  key_prefix: string;
}

async function send(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<Response> {
  const response = await fetch(PATH, {
    method,
    credentials: 'same-origin',
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (response.ok) return response;
  throw await ApiError.from(response, await response.json().catch(() => null));
}

/** The signed-in workspace; null without a valid session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return (await (await send('GET')).json()) as Session;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

export const signIn = (apiKey: string): Promise<Response> => send('POST', { api_key: apiKey });
export const signOut = (): Promise<Response> => send('DELETE');

/** Set by the shell, which shows pages only to a session. */
export const SessionContext = createContext<Session | null>(null);

/** The session of a page that is shown only when signed in. */
export function useSession(): Session & { allows(scope: Scope): boolean } {
  const session = use(SessionContext);
  if (session === null) throw new Error('The page needs a session');
  return { ...session, allows: (scope) => allows(session.scopes, scope) };
}

const ORDER: Scope[] = ['read', 'write', 'admin'];

/** Each scope contains the ones before it. */
function allows(scopes: Scope[], needed: Scope): boolean {
  return scopes.some((scope) => ORDER.indexOf(scope) >= ORDER.indexOf(needed));
}
