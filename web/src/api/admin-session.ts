import { queryOptions } from '@tanstack/react-query';
import { api, ApiError, dataOf, type Schemas } from './client.ts';
import { keys } from './keys.ts';

/** The operator's session; null without a valid one. */
export const adminSessionQuery = queryOptions({
  queryKey: keys.adminSession(),
  queryFn: async (): Promise<Schemas['AdminSessionDto'] | null> => {
    try {
      return await dataOf(api.GET('/api/v1/admin/session'));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

export const signInAsOperator = (admin_token: string) =>
  dataOf(api.POST('/api/v1/admin/session', { body: { admin_token } }));
export const signOutAsOperator = () => dataOf(api.DELETE('/api/v1/admin/session'));
