import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { keys } from './keys.ts';

/** The sources that can be read, with the forms of their targets. */
export const sourcesQuery = queryOptions({
  queryKey: keys.sources(),
  queryFn: () => dataOf(api.GET('/api/v1/sources')),
  staleTime: Infinity,
});
