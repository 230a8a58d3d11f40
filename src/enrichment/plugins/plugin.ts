import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';

/** A post or comment on its way to the database, with the annotations of plugins (stored as JSON, at most 8 KiB). */
export interface PluginItem<T> {
  record: T;
  annotations: Record<string, unknown>;
}

/** The scrape that a plugin takes part in. */
export interface PluginContext {
  workspaceId: string;
  jobId: string;
  target: string;
  /** State of the plugin for one execution of the job. The plugin must bound its size. */
  memory: Map<string, unknown>;
}

/** A hook gets copies and returns the items to keep: an item left out is dropped, a changed record is stored as changed. */
export type PluginHook<T> = (
  batch: PluginItem<T>[],
  context: PluginContext,
) => PluginItem<T>[] | Promise<PluginItem<T>[]>;

/** A step between the platform and the database that a job requests by name. It has at least one hook. */
export interface ScrapePlugin {
  /** Lower-case letters, digits and `_`, beginning with a letter. */
  name: string;
  description: string;
  onPosts?: PluginHook<PlatformPost>;
  onComments?: PluginHook<PlatformComment>;
}
