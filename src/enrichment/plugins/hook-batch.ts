import { types } from 'node:util';
import type { PluginItem } from './plugin.js';

const MAX_ANNOTATION_BYTES = 8_192;

/** The return value of a hook, if it can be stored. @throws Error naming its fault */
export function checkedItems<T extends { id: string }>(
  kept: unknown,
  records: readonly T[],
): PluginItem<T>[] {
  if (!Array.isArray(kept)) throw new Error('the hook must return an array of items');
  const originals = new Map(records.map((record) => [record.id, record]));
  return (kept as PluginItem<T>[]).map((item) => {
    const original = originals.get(item?.record?.id);
    if (!original) throw new Error('the hook returned an item that it was not given, or one of them twice');
    originals.delete(original.id);
    for (const [key, value] of Object.entries(original))
      if (kindOf((item.record as Record<string, unknown>)[key]) !== kindOf(value) && value !== null)
        throw new Error(`the hook changed the type of "${key}"`);
    if (kindOf(item.annotations) !== 'object') throw new Error('annotations must be an object');
    if (Buffer.byteLength(JSON.stringify(item.annotations)) > MAX_ANNOTATION_BYTES)
      throw new Error(`the annotations of ${original.id} are larger than ${MAX_ANNOTATION_BYTES} bytes`);
    return item;
  });
}

function kindOf(value: unknown): string {
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? 'invalid date' : 'date';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : 'not a number';
  return value === null ? 'null' : typeof value;
}
