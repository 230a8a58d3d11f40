import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { Button } from './controls.tsx';
import { Page } from './page.tsx';
import { QueryView } from './query-view.tsx';
import { Empty } from './states.tsx';

/** A page that lists a workspace's records of one kind, with a form to create one for users who may. */
export function ListPage<T>({
  words,
  query,
  creating,
  form,
  more,
  onCreate,
  children,
}: {
  words: { title: string; create: string; empty: string; emptyHint: string };
  query: { data: readonly T[] | undefined; error: Error | null; refetch: () => unknown };
  /** Whether the form is open. */
  creating: boolean;
  form: ReactNode;
  /** Content after the list, such as the button that loads more. */
  more?: ReactNode;
  onCreate: () => void;
  children: (item: T) => ReactNode;
}) {
  const mayWrite = useSession().allows('write');
  return (
    <Page
      title={words.title}
      actions={
        mayWrite && (
          <Button look="primary" onClick={onCreate}>
            {words.create}
          </Button>
        )
      }
    >
      <QueryView query={query}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={words.empty} hint={words.emptyHint} />
          ) : (
            <ul className="space-y-2">{items.map(children)}</ul>
          )
        }
      </QueryView>
      {more}
      {creating && mayWrite && form}
    </Page>
  );
}
