import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { commonTexts } from '../texts/common.ts';
import { Button } from './controls.tsx';
import { ErrorNote, Loading } from './states.tsx';

/**
 * The state of a query: loading, an error with a button to retry, or the content. Content that was read before stays
 * visible. `missing` is shown where there is no such record.
 */
export function QueryView<T>({
  query,
  rows = 3,
  missing,
  children,
}: {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  rows?: number;
  missing?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (missing !== undefined && isMissing(query.error)) return missing;
  const note = query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return note ?? <Loading rows={rows} />;
  return (
    <>
      {note && <div className="mb-3">{note}</div>}
      {children(query.data)}
    </>
  );
}

/** Whether the API says that there is no record with an id, or that it is none. */
const isMissing = (error: Error | null): boolean =>
  error instanceof ApiError && [400, 404].includes(error.status);

/** Loads the next page of a list, if there is one. */
export function LoadMore({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-4 flex justify-center">
      <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {commonTexts.loadMore}
      </Button>
    </div>
  );
}
