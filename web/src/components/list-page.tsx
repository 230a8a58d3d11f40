import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { commonTexts } from '../texts/common.ts';
import { bulkTexts } from '../texts/bulk.ts';
import { type Bulk, BulkBar } from './bulk-bar.tsx';
import { Button } from './controls.tsx';
import { Page } from './page.tsx';
import { QueryView } from './query-view.tsx';
import { Settled } from './settled.tsx';
import { Empty, type Example } from './states.tsx';
import { type Column, Table } from './table.tsx';
import { useDeletedIds } from './undo.ts';
import { useChosen } from './use-chosen.ts';

interface Records<T> {
  /** What can be done with several records. */
  bulk?: Bulk<T> | undefined;
  /** The name of a record next to its checkbox. */
  nameOf?: ((item: T) => string) | undefined;
  /** The columns where the records are rows of a table, which end with buttons. */
  columns?: readonly Column[] | undefined;
  /** Renders a record, with a checkbox where several can be chosen. */
  children: (item: T, checkbox: ReactNode) => ReactNode;
}

/** A page that lists a workspace's records of one kind, with a form to create one for users who may. */
export function ListPage<T extends { id: string }>({
  words,
  query,
  creating,
  form,
  more,
  other,
  bulk,
  onCreate,
  ...records
}: Records<T> & {
  words: { title: string; create: string; empty: string; emptyHint: string; example: Example };
  query: { data: readonly T[] | undefined; error: Error | null; refetch: () => unknown };
  /** Whether the form is open. */
  creating: boolean;
  form: ReactNode;
  /** Content after the list, such as the button that loads more. */
  more?: ReactNode;
  /** What else can be created, before the button to create. */
  other?: ReactNode;
  onCreate: () => void;
}) {
  const mayWrite = useSession().allows('write');
  const deleted = useDeletedIds();
  const shown = query.data?.filter(({ id }) => !deleted.has(id));
  const create = mayWrite && (
    <div className="flex flex-wrap justify-center gap-2">
      {other}
      <Button look="primary" onClick={onCreate}>
        {words.create}
      </Button>
    </div>
  );
  return (
    <Page title={words.title} actions={shown?.length === 0 ? undefined : create}>
      {creating && !mayWrite && <p role="status">{commonTexts.needsScope('write')}</p>}
      <QueryView query={{ ...query, data: shown }}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={words.empty} hint={words.emptyHint} example={words.example}>
              {create}
            </Empty>
          ) : (
            <Settled>
              <RecordList items={items} bulk={mayWrite && items.length > 1 ? bulk : undefined} {...records} />
            </Settled>
          )
        }
      </QueryView>
      {more}
      {creating && mayWrite && form}
    </Page>
  );
}

/** The records, below the bar for the chosen ones where several can be chosen. */
function RecordList<T extends { id: string }>({
  items,
  bulk,
  nameOf,
  columns,
  children,
}: Records<T> & { items: readonly T[] }) {
  const { chosen, toggle, choose } = useChosen();
  const checkbox = (item: T): ReactNode =>
    bulk && (
      <input
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-accent"
        aria-label={bulkTexts.select(nameOf?.(item) ?? '')}
        checked={chosen.has(item.id)}
        onChange={() => toggle(item.id)}
      />
    );
  const records = items.map((item) => children(item, checkbox(item)));
  return (
    <>
      {bulk && (
        <BulkBar
          bulk={bulk}
          items={items}
          selected={items.filter(({ id }) => chosen.has(id))}
          onSelect={(some) => choose(some.map(({ id }) => id))}
        />
      )}
      {columns === undefined ? (
        <ul className="space-y-2">{records}</ul>
      ) : (
        <Table columns={columns} hasSelection={bulk !== undefined} hasActions>
          {records}
        </Table>
      )}
    </>
  );
}
