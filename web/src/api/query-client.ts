import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { keys } from './keys.ts';
import { isTransient } from './transient.ts';

/** Queries that do not depend on the session of a workspace. */
const KEPT: ReadonlySet<unknown> = new Set([...keys.session(), 'admin', ...keys.adminSession()]);

const RETRIES = 2;
const LONGEST_WAIT_MS = 8_000;

/** When the session ended (signed out elsewhere, key revoked, 12 h over), the sign-in page replaces the page. */
function onError(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401) return;
  const isOperator = error.code.endsWith('_admin_token');
  if (!queryClient.getQueryData(isOperator ? keys.adminSession() : keys.session())) return;
  if (isOperator) endAdminSession();
  else endSession();
  queryClient.setQueryData(isOperator ? keys.adminSessionEnded() : keys.sessionEnded(), true);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < RETRIES && isTransient(error),
      retryDelay: (attempt, error) => {
        const named = error instanceof ApiError ? error.retryAfterSeconds : null;
        return Math.min(LONGEST_WAIT_MS, named === null ? 500 * 2 ** attempt : named * 1_000);
      },
      // A list shows that it is offline instead of waiting silently.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Removes the session of a workspace and all data that was read with it. */
export function endSession(): void {
  queryClient.setQueryData(keys.session(), null);
  queryClient.setQueryData(keys.sessionEnded(), false);
  queryClient.removeQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
}

/** Removes the session of the operator and all data that was read with it. */
export function endAdminSession(): void {
  queryClient.setQueryData(keys.adminSession(), null);
  queryClient.setQueryData(keys.adminSessionEnded(), false);
  queryClient.removeQueries({ queryKey: keys.admin() });
}
