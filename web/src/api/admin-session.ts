import { queryOptions } from '@tanstack/react-query';
import { api, ApiError, dataOf, type Schemas } from './client.ts';
import { keys } from './keys.ts';
import { identityProviderQuery } from './session.ts';

const SIGNED_IN = 'operator-signed-in';

/**
 * The operator's session; null without a valid one. It is not requested where nobody can have one: without an earlier
 * sign-in by token in this browser, and without an identity provider.
 */
export const adminSessionQuery = queryOptions({
  queryKey: keys.adminSession(),
  queryFn: async ({ client }): Promise<Schemas['AdminSessionDto'] | null> => {
    if (localStorage.getItem(SIGNED_IN) === null) {
      const { issuer } = await client.fetchQuery(identityProviderQuery);
      if (issuer === null) return null;
    }
    try {
      return await dataOf(api.GET('/api/v1/admin/session'));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        localStorage.removeItem(SIGNED_IN);
        return null;
      }
      throw error;
    }
  },
  staleTime: Infinity,
});

export async function signInAsOperator(admin_token: string): Promise<void> {
  await dataOf(api.POST('/api/v1/admin/session', { body: { admin_token } }));
  localStorage.setItem(SIGNED_IN, 'yes');
}

export async function signOutAsOperator(): Promise<void> {
  await dataOf(api.DELETE('/api/v1/admin/session'));
  localStorage.removeItem(SIGNED_IN);
}
