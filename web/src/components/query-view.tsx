import type { ReactNode } from 'react';
import { commonTexts } from '../texts/common.ts';
import { Button } from './controls.tsx';
import { ErrorNote, Loading } from './states.tsx';

/**
 * The state of a query: loading, an error with a button to retry, or the content. Content that was read before stays
 * visible.
 */
export function QueryView<T>({
  query,
  rows = 3,
  children,
}: {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  const note = query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return note ?? <Loading rows={rows} />;
  return (
    <>
      {note && <div className="mb-3">{note}</div>}
      {children(query.data)}
    </>
  );
}

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
