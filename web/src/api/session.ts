import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api, ApiError, dataOf, type Schemas } from './client.ts';
import { keys } from './keys.ts';
import { KINDS } from './kinds.ts';

export type Session = Schemas['SessionDto'];
export type Scope = Session['scopes'][number];

/** The signed-in workspace; null without a valid session. */
export const sessionQuery = queryOptions({
  queryKey: keys.session(),
  queryFn: async (): Promise<Session | null> => {
    try {
      return await dataOf(api.GET('/api/v1/session'));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

/** The identity provider with which people sign in; its issuer is null without one. */
export const identityProviderQuery = queryOptions({
  queryKey: keys.identityProvider(),
  queryFn: () => dataOf(api.GET('/api/v1/session/oidc')),
  staleTime: Infinity,
});

/** Whether a person has signed in with an account: keys have no address. */
export const isPerson = ({ key_prefix }: Session): boolean => key_prefix.includes('@');

export const signIn = (api_key: string) => dataOf(api.POST('/api/v1/session', { body: { api_key } }));
export const signOut = () => dataOf(api.DELETE('/api/v1/session'));

/** Set by the shell, which shows pages only to signed-in users. */
export const SessionContext = createContext<Session | null>(null);

/** The session, for pages that are shown only when signed in. */
export function useSession(): Session & { allows(scope: Scope): boolean } {
  const session = use(SessionContext);
  if (session === null) throw new Error('The page needs a session');
  return { ...session, allows: (scope) => allows(session.scopes, scope) };
}

/** Each scope includes the previous ones. */
function allows(scopes: Scope[], needed: Scope): boolean {
  const { scopes: ascending } = KINDS.lists;
  return scopes.some((scope) => ascending.indexOf(scope) >= ascending.indexOf(needed));
}
