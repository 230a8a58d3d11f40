import { LRUCache } from 'lru-cache';
import { hashId, type SegmentIds } from './segment-blocks.js';

/** Ids that the lists of all workspaces have together at most, some 10 megabytes. */
const MOST_IDS = 100_000;

/** Ids of rows that changed, as one row of `search_changes` lists them. */
export class ChangeList {
  private readonly hashes: readonly number[];
  /** The listed rows of segments that were searched before: an id is in the same row of a segment for ever. */
  private readonly rows = new WeakMap<SegmentIds, readonly number[]>();

  constructor(readonly ids: readonly string[]) {
    this.hashes = ids.map(hashId);
  }

  /** The rows of a segment that are listed. */
  rowsIn(ids: SegmentIds): readonly number[] {
    let rows = this.rows.get(ids);
    if (rows === undefined) {
      rows = this.ids.map((id, index) => ids.find(id, this.hashes[index]!)).filter((row) => row >= 0);
      this.rows.set(ids, rows);
    }
    return rows;
  }
}

/** Lists by their ids. */
export type ChangeListsById = ReadonlyMap<string, ChangeList>;

/**
 * The lists of changes of the workspaces that were searched last. Lists never change; a search drops those that no longer
 * exist.
 */
export class ChangeLists {
  private readonly byWorkspace = new LRUCache<string, ChangeListsById>({
    maxSize: MOST_IDS,
    sizeCalculation: (lists) => [...lists.values()].reduce((sum, { ids }) => sum + ids.length, 1),
  });

  /** Those of a workspace's last search. */
  known(workspaceId: string): ChangeListsById {
    return this.byWorkspace.get(workspaceId) ?? new Map<string, ChangeList>();
  }

  /** The lists that a search sees, each with its ids unless they are `known`; they are known from now on. */
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
