import { types } from 'node:util';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { withTimeout } from '../../common/timeout.js';
import type { PluginContext, PluginHook, PluginItem, ScrapePlugin } from './plugin.js';

/** Failures of one plugin in one execution. */
export interface PluginError {
  plugin: string;
  count: number;
  /** Message of the last failure. */
  message: string;
}

const HOOK_TIMEOUT_MS = 10_000;
const MAX_ANNOTATION_BYTES = 8_192;
const MAX_MESSAGE_LENGTH = 200;

/**
 * Runs a job's plugins over its batches, in the order the job names them. A plugin that fails is skipped for the batch.
 */
export class PluginRunner {
  private readonly failures = new Map<string, PluginError>();
  private readonly spentMs = new Map<string, number>();
  private readonly contexts: Map<string, PluginContext>;

  constructor(
    private readonly plugins: readonly ScrapePlugin[],
    job: Omit<PluginContext, 'memory'>,
  ) {
    this.contexts = new Map(plugins.map((plugin) => [plugin.name, { ...job, memory: new Map() }]));
  }

  get errors(): PluginError[] {
    return [...this.failures.values()];
  }

  /** Milliseconds spent in each plugin so far. */
  get timings(): Record<string, number> {
    return Object.fromEntries([...this.spentMs].map(([name, ms]) => [name, Math.round(ms)]));
  }

  posts(posts: readonly PlatformPost[]): Promise<PluginItem<PlatformPost>[]> {
    return this.run(posts, (plugin) => plugin.onPosts?.bind(plugin));
  }

  comments(comments: readonly PlatformComment[]): Promise<PluginItem<PlatformComment>[]> {
    return this.run(comments, (plugin) => plugin.onComments?.bind(plugin));
  }

  private async run<T extends { id: string }>(
    records: readonly T[],
    hookOf: (plugin: ScrapePlugin) => PluginHook<T> | undefined,
  ): Promise<PluginItem<T>[]> {
    let items = records.map((record): PluginItem<T> => ({ record, annotations: {} }));
    for (const plugin of this.plugins) {
      const hook = hookOf(plugin);
      if (!hook || items.length === 0) continue;
      const began = performance.now();
      try {
        // Plugins get copies, so that one that fails halfway has changed nothing.
        const copies = items.map(({ record, annotations }) => ({
          record: structuredClone(record),
          annotations: structuredClone(annotations),
        }));
        const kept = await withTimeout(
          Promise.resolve(hook(copies, this.contexts.get(plugin.name)!)),
          HOOK_TIMEOUT_MS,
          `no answer within ${HOOK_TIMEOUT_MS} ms`,
        );
        items = checked(kept, records);
      } catch (error) {
        this.note(plugin.name, error);
      }
      this.spentMs.set(plugin.name, (this.spentMs.get(plugin.name) ?? 0) + performance.now() - began);
    }
    return items;
  }

  private note(plugin: string, error: unknown): void {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH);
    const count = (this.failures.get(plugin)?.count ?? 0) + 1;
    this.failures.set(plugin, { plugin, count, message });
  }
}

/** The return value of a hook, if it can be stored. Otherwise throws a message. */
function checked<T extends { id: string }>(kept: unknown, records: readonly T[]): PluginItem<T>[] {
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
