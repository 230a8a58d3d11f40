import { LEAST_BANDS, mayBeSameLanguage, type StoryKeys } from '../../content/stories/story-keys.js';
import type { FreshMatch } from '../matching/alert-matches.repository.js';

/** A key under which a record is stored. */
export interface StoredKey {
  key: string;
  recordId: string;
  language: string;
}

/** Maximum number of records that are compared because of one key: the oldest. */
export const MAX_RECORDS = 20;

/** A match, and the earlier one of the same story into which it is folded. */
export interface Fold {
  id: string;
  into: string;
}

/** Records by their keys, in the order in which they were added; of each key the first ones. */
export class StoryIndex {
  private readonly byKey = new Map<string, StoredKey[]>();

  add(key: StoredKey): void {
    const known = this.byKey.get(key.key);
    if (known === undefined) this.byKey.set(key.key, [key]);
    else if (known.length < MAX_RECORDS) known.push(key);
  }

  /** Ids of the records that tell the same story, first added first. */
  similar(keys: StoryKeys): string[] {
    const found = new Map<string, number>();
    const count = (key: string, weight: number): void => {
      for (const { recordId, language } of this.byKey.get(key) ?? [])
        if (mayBeSameLanguage(language, keys.language))
          found.set(recordId, (found.get(recordId) ?? 0) + weight);
    };
    for (const key of keys.whole) count(key, LEAST_BANDS);
    for (const key of keys.bands) count(key, 1);
    return [...found].filter(([, weight]) => weight >= LEAST_BANDS).map(([id]) => id);
  }
}

/** For each record of a batch, in its order, the stored and earlier records that tell the same story. */
export function similarRecords(
  records: ReadonlyMap<string, StoryKeys>,
  stored: readonly StoredKey[],
): Map<string, string[]> {
  const index = new StoryIndex();
  for (const key of stored) index.add(key);
  const similar = new Map<string, string[]>();
  for (const [recordId, keys] of records) {
    similar.set(
      recordId,
      index.similar(keys).filter((id) => id !== recordId),
    );
    for (const key of [...keys.whole, ...keys.bands]) index.add({ key, recordId, language: keys.language });
  }
  return similar;
}

/**
 * Folds matches, in their order, into the first match of the same alert among the records that tell the same story.
 * `earlier` has the unfolded matches of before by alert and record. A match with a fold is never the target of another.
 */
export function foldStories(
  fresh: readonly FreshMatch[],
  similar: ReadonlyMap<string, readonly string[]>,
  earlier: readonly FreshMatch[],
): Fold[] {
  const first = new Map(earlier.map((match) => [nameOf(match.alertId, match.postId), match.id]));
  const folds: Fold[] = [];
  for (const { id, alertId, postId } of fresh) {
    const into = (similar.get(postId) ?? [])
      .map((other) => first.get(nameOf(alertId, other)))
      .find((match) => match !== undefined);
    if (into === undefined) first.set(nameOf(alertId, postId), id);
    else folds.push({ id, into });
  }
  return folds;
}

const nameOf = (alertId: string, recordId: string): string => `${alertId} ${recordId}`;
