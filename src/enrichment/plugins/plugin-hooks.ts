import type { PluginContext, PluginItem, ScrapePlugin } from './plugin.js';

/** Names of the hooks that a plugin can have. */
export type HookName = 'onPosts' | 'onComments';

/** A plugin was ended because it did not return in time or used too much memory. */
export class PluginEnded extends Error {}

/** Calls hooks of plugins on copies of a batch. */
export interface PluginHooks {
  /**
   * The return value of the named plugin's hook, unchecked.
   *
   * @throws PluginEnded when the hook had to be stopped; Error with the hook's message when it failed
   */
  call(plugin: string, hook: HookName, items: readonly PluginItem<unknown>[]): Promise<unknown>;
  /** Frees the plugins' resources. */
  end(): Promise<void>;
}

/** Calls the hooks of these plugins, each with its own memory. */
export class LocalHooks implements PluginHooks {
  private readonly plugins: ReadonlyMap<string, ScrapePlugin>;
  private readonly contexts: ReadonlyMap<string, PluginContext>;

  constructor(plugins: readonly ScrapePlugin[], job: Omit<PluginContext, 'memory'>) {
    this.plugins = new Map(plugins.map((plugin) => [plugin.name, plugin]));
    this.contexts = new Map(plugins.map((plugin) => [plugin.name, { ...job, memory: new Map() }]));
  }

  async call(plugin: string, hook: HookName, items: readonly PluginItem<unknown>[]): Promise<unknown> {
    const called = this.plugins.get(plugin)!;
    return await called[hook]!(items.slice() as PluginItem<never>[], this.contexts.get(plugin)!);
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}
