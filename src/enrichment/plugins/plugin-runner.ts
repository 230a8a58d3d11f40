import { beginningOf } from '../../common/strings.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { checkedItems } from './hook-batch.js';
import type { PluginItem, ScrapePlugin } from './plugin.js';
import { type HookName, PluginEnded, type PluginHooks } from './plugin-hooks.js';

/** Failures of one plugin in one execution. */
export interface PluginError {
  plugin: string;
  count: number;
  /** Message of the last failure. */
  message: string;
}

const MAX_MESSAGE_LENGTH = 200;

/**
 * Runs a job's plugins over its batches, in the order the job names them. A plugin that fails is skipped for the batch;
 * one that had to be ended is skipped for the rest of the execution.
 */
export class PluginRunner {
  /** Called with the plugin's name and the message of each failure. */
  onFailure: (plugin: string, message: string) => void = () => undefined;
  private readonly failures = new Map<string, PluginError>();
  private readonly spentMs = new Map<string, number>();
  private readonly ended = new Set<string>();

  /** @param hooks calls the plugins; not needed without plugins */
  constructor(
    private readonly plugins: readonly ScrapePlugin[] = [],
    private readonly hooks?: PluginHooks,
  ) {}

  get errors(): PluginError[] {
    return [...this.failures.values()];
  }

  /** Milliseconds spent in each plugin so far. */
  get timings(): Record<string, number> {
    return Object.fromEntries([...this.spentMs].map(([name, ms]) => [name, Math.round(ms)]));
  }

  posts(posts: readonly PlatformPost[]): Promise<PluginItem<PlatformPost>[]> {
    return this.run(posts, 'onPosts');
  }

  comments(comments: readonly PlatformComment[]): Promise<PluginItem<PlatformComment>[]> {
    return this.run(comments, 'onComments');
  }

  /** Frees the plugins' resources. */
  async end(): Promise<void> {
    await this.hooks?.end();
  }

  private async run<T extends { id: string }>(
    records: readonly T[],
    hook: HookName,
  ): Promise<PluginItem<T>[]> {
    let items = records.map((record): PluginItem<T> => ({ record, annotations: {} }));
    for (const { name, [hook]: isDefined } of this.plugins) {
      if (!isDefined || this.ended.has(name) || items.length === 0) continue;
      const began = performance.now();
      try {
        items = checkedItems(await this.hooks!.call(name, hook, items), records);
      } catch (error) {
        if (error instanceof PluginEnded) this.ended.add(name);
        this.note(name, error);
      }
      this.spentMs.set(name, (this.spentMs.get(name) ?? 0) + performance.now() - began);
    }
    return items;
  }

  private note(plugin: string, error: unknown): void {
    const message = beginningOf(error instanceof Error ? error.message : String(error), MAX_MESSAGE_LENGTH);
    const count = (this.failures.get(plugin)?.count ?? 0) + 1;
    this.failures.set(plugin, { plugin, count, message });
    this.onFailure(plugin, message);
  }
}
