import { LRUCache } from 'lru-cache';
import { hashId, type SegmentIds } from '../format/segment-blocks.js';

/** Maximum number of ids in the lists of all workspaces together, about 10 MB. */
const MOST_IDS = 100_000;

/** Ids of rows that changed, as one row of `search_changes` lists them. */
export class ChangeList {
  private readonly hashes: readonly number[];
  private readonly first: string;
  private readonly last: string;
  /** The listed rows by segment. They can be cached because an id never changes its row within a segment. */
  private readonly rows = new WeakMap<SegmentIds, readonly number[]>();

  constructor(readonly ids: readonly string[]) {
    this.hashes = ids.map(hashId);
    [this.first, this.last] = [ids[0] ?? '', ids[0] ?? ''];
    for (const id of ids) {
      if (id < this.first) this.first = id;
      if (id > this.last) this.last = id;
    }
  }

  /** The listed rows of a segment. */
  rowsIn(ids: SegmentIds): readonly number[] {
    let rows = this.rows.get(ids);
    if (rows === undefined) {
      // Most changed rows are new and have later ids than those in segments.
      rows = ids.mayHaveBetween(this.first, this.last)
        ? this.ids.map((id, index) => ids.find(id, this.hashes[index]!)).filter((row) => row >= 0)
        : [];
      this.rows.set(ids, rows);
    }
    return rows;
  }
}

/** Lists by their ids. */
export type ChangeListsById = ReadonlyMap<string, ChangeList>;

/**
 * The lists of changes of the most recently searched workspaces. A list never changes; a search drops those that it no
 * longer sees.
 */
export class ChangeLists {
  private readonly byWorkspace = new LRUCache<string, ChangeListsById>({
    maxSize: MOST_IDS,
    sizeCalculation: (lists) => [...lists.values()].reduce((sum, { ids }) => sum + ids.length, 1),
  });

  /** The lists that the workspace's last search saw. */
  known(workspaceId: string): ChangeListsById {
    return this.byWorkspace.get(workspaceId) ?? new Map<string, ChangeList>();
  }

  /** The lists that a search sees, each with its ids unless they are `known`. Keeps them for the next search. */
  see(
    workspaceId: string,
    seen: readonly (readonly [id: string, rowIds: readonly string[] | null])[],
    known: ChangeListsById,
  ): ChangeList[] {
    const lists = new Map(seen.map(([id, rowIds]) => [id, known.get(id) ?? new ChangeList(rowIds!)]));
    this.byWorkspace.set(workspaceId, lists);
    return [...lists.values()];
  }
}
