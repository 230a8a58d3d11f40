import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';

/** A post or comment on its way to the database, and what plugins note beside it (kept as JSON, at most 8 KiB). */
export interface PluginItem<T> {
  record: T;
  annotations: Record<string, unknown>;
}

/** What a plugin is told of the scrape that it takes part in. */
export interface PluginContext {
  workspaceId: string;
  jobId: string;
  target: string;
  /** The plugin's own, for the time of one run of the job on one worker. Keep it bounded. */
  memory: Map<string, unknown>;
}

/** A hook is handed copies and returns what is to be kept: left out is dropped, a changed record is stored as changed. */
export type PluginHook<T> = (
  batch: PluginItem<T>[],
  context: PluginContext,
) => PluginItem<T>[] | Promise<PluginItem<T>[]>;

/** A step between the platform and the database that a job asks for by name. It has at least one hook. */
export interface ScrapePlugin {
  /** Lower-case letters, digits and `_`, beginning with a letter. */
  name: string;
  description: string;
  onPosts?: PluginHook<PlatformPost>;
  onComments?: PluginHook<PlatformComment>;
}
