import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.ts';
import { bulkTexts } from '../texts/bulk.ts';
import { type Bulk, BulkBar } from './bulk-bar.tsx';
import { Button } from './controls.tsx';
import { Page } from './page.tsx';
import { QueryView } from './query-view.tsx';
import { Empty, type Example } from './states.tsx';
import { useDeletedIds } from './undo.ts';

/** A page that lists a workspace's records of one kind, with a form to create one for users who may. */
export function ListPage<T extends { id: string }>({
  words,
  query,
  creating,
  form,
  more,
  bulk,
  nameOf,
  onCreate,
  children,
}: {
  words: { title: string; create: string; empty: string; emptyHint: string; example: Example };
  query: { data: readonly T[] | undefined; error: Error | null; refetch: () => unknown };
  /** Whether the form is open. */
  creating: boolean;
  form: ReactNode;
  /** Content after the list, such as the button that loads more. */
  more?: ReactNode;
  /** What can be done with several records. */
  bulk?: Bulk<T>;
  /** The name of a record next to its checkbox. */
  nameOf?: (item: T) => string;
  onCreate: () => void;
  /** Renders a record, with a checkbox where several can be chosen. */
  children: (item: T, checkbox: ReactNode) => ReactNode;
}) {
  const mayWrite = useSession().allows('write');
  const deleted = useDeletedIds();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const hasBulk = bulk !== undefined && mayWrite;
  const toggle = ({ id }: T, isChosen: boolean): void =>
    setChosen((before) => {
      const after = new Set(before);
      if (isChosen) after.add(id);
      else after.delete(id);
      return after;
    });
  const shown = query.data?.filter(({ id }) => !deleted.has(id));
  const create = mayWrite && (
    <Button look="primary" onClick={onCreate}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} actions={shown?.length === 0 ? undefined : create}>
      <QueryView query={{ ...query, data: shown }}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={words.empty} hint={words.emptyHint} example={words.example}>
              {create}
            </Empty>
          ) : (
            <>
              {hasBulk && items.length > 1 && (
                <BulkBar
                  bulk={bulk}
                  items={items}
                  selected={items.filter(({ id }) => chosen.has(id))}
                  onSelect={(some) => setChosen(new Set(some.map(({ id }) => id)))}
                />
              )}
              <ul className="space-y-2">
                {items.map((item) =>
                  children(
                    item,
                    hasBulk && items.length > 1 && (
                      <input
                        type="checkbox"
                        className="mt-1 size-4 shrink-0 accent-accent"
                        aria-label={bulkTexts.select(nameOf?.(item) ?? '')}
                        checked={chosen.has(item.id)}
                        onChange={({ target }) => toggle(item, target.checked)}
                      />
                    ),
                  ),
                )}
              </ul>
            </>
          )
        }
      </QueryView>
      {more}
      {creating && mayWrite && form}
    </Page>
  );
}
