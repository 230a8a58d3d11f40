import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatNumber } from '../format.ts';
import { bulkTexts } from '../texts/bulk.ts';
import { Button } from './controls.tsx';
import { ErrorNote } from './states.tsx';
import { deleteLater } from './undo.ts';

const words = bulkTexts;

/** What can be done with several records of a list at once. */
export interface Bulk<T> {
  setActive: (item: T, isActive: boolean) => Promise<unknown>;
  remove: (item: T) => Promise<unknown>;
  /** Reads the list again. */
  refresh: () => Promise<unknown>;
  /** Says that this many were deleted. */
  deleted: (count: string) => string;
}

/** The choice of all records of a list, followed by what can be done with the chosen ones. */
export function Selection<T>({
  items,
  selected,
  onSelect,
  children,
}: {
  items: readonly T[];
  selected: readonly T[];
  onSelect: (items: readonly T[]) => void;
  children: ReactNode;
}) {
  return (
    <div className="mb-2 flex min-h-8 flex-wrap items-center gap-2 px-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:*:shrink-0">
      <label className="flex items-center gap-2 text-[13px] text-muted">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={selected.length === items.length}
          onChange={({ target }) => onSelect(target.checked ? items : [])}
        />
        {selected.length === 0
          ? words.all(formatNumber(items.length))
          : words.selected(formatNumber(selected.length))}
      </label>
      {children}
    </div>
  );
}

/** The choice of all records of a list, and the actions for the chosen ones. */
export function BulkBar<T extends { id: string }>({
  bulk,
  items,
  selected,
  onSelect,
}: {
  bulk: Bulk<T>;
  items: readonly T[];
  selected: readonly T[];
  onSelect: (items: readonly T[]) => void;
}) {
  const activate = useMutation({
    mutationFn: async (isActive: boolean) => {
      for (const item of selected) await bulk.setActive(item, isActive);
    },
    onSettled: () => bulk.refresh(),
  });
  return (
    <Selection items={items} selected={selected} onSelect={onSelect}>
      {selected.length > 0 && (
        <>
          <Button disabled={activate.isPending} onClick={() => activate.mutate(false)}>
            {words.pause}
          </Button>
          <Button disabled={activate.isPending} onClick={() => activate.mutate(true)}>
            {words.resume}
          </Button>
          <Button
            look="danger"
            onClick={() => {
              onSelect([]);
              deleteLater({
                ids: selected.map(({ id }) => id),
                text: bulk.deleted(formatNumber(selected.length)),
                run: async () => {
                  for (const item of selected) await bulk.remove(item);
                  await bulk.refresh();
                },
              });
            }}
          >
            {words.remove}
          </Button>
        </>
      )}
      {activate.error && <ErrorNote error={activate.error} />}
    </Selection>
  );
}
