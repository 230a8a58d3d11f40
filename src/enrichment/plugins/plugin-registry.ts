import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '../../config/environment.js';
import { botFilter } from './built-in/bot-filter.js';
import { deduplicator } from './built-in/deduplicator.js';
import { languageTagger } from './built-in/language-tagger.js';
import { linkExtractor } from './built-in/link-extractor.js';
import { nsfwFilter } from './built-in/nsfw-filter.js';
import type { PluginContext, ScrapePlugin } from './plugin.js';
import { PluginRunner } from './plugin-runner.js';
import { PluginThread } from './plugin-thread.js';

const BUILT_IN: readonly ScrapePlugin[] = [
  deduplicator,
  nsfwFilter,
  botFilter,
  languageTagger,
  linkExtractor,
];
const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The plugins that jobs may name: built-in ones and the operator's own. */
export class PluginRegistry {
  private readonly plugins: ReadonlyMap<string, ScrapePlugin>;

  constructor(
    plugins: readonly ScrapePlugin[] = BUILT_IN,
    private readonly folder?: string,
  ) {
    this.plugins = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  }

  /**
   * Built-in plugins and the default export of every `.js` or `.mjs` file of the folder. @throws ConfigurationError
   * naming a file whose default export is not a plugin
   */
  static async load(folder: string | undefined): Promise<PluginRegistry> {
    if (folder === undefined) return new PluginRegistry();
    const plugins = [...BUILT_IN];
    for (const file of await filesOf(folder)) {
      const plugin = await importPlugin(join(folder, file));
      if (plugins.some(({ name }) => name === plugin.name))
        throw new ConfigurationError(
          `PLUGINS_DIR: ${file} uses the plugin name "${plugin.name}", which is already taken; rename the plugin or remove the file`,
        );
      plugins.push(plugin);
    }
    return new PluginRegistry(plugins, folder);
  }

  list(): { name: string; description: string }[] {
    return [...this.plugins.values()].map(({ name, description }) => ({ name, description }));
  }

  /** Why some of the names cannot be used, as a sentence; null when all can. */
  refuse(names: readonly string[]): string | null {
    const unknown = names.filter((name) => !this.plugins.has(name));
    return unknown.length === 0
      ? null
      : `unknown plugin ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known are ${[...this.plugins.keys()].join(', ')}`;
  }

  /** Runs these plugins for one execution, in a thread of their own; names that this process does not know are skipped. */
  runner(names: readonly string[], job: Omit<PluginContext, 'memory'>): PluginRunner {
    const plugins = this.pick(names);
    if (plugins.length === 0) return new PluginRunner();
    return new PluginRunner(plugins, new PluginThread({ folder: this.folder, names, job }));
  }

  /** Plugins by name; names that this process does not know are skipped. */
  pick(names: readonly string[]): ScrapePlugin[] {
    return names.flatMap((name) => this.plugins.get(name) ?? []);
  }
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => /\.m?js$/.test(file)).sort();
  } catch (error) {
    throw new ConfigurationError(
      `PLUGINS_DIR ${folder} cannot be read (${(error as NodeJS.ErrnoException).code}); set it to a folder with plugins or unset it`,
    );
  }
}

async function importPlugin(path: string): Promise<ScrapePlugin> {
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(path).href)) as { default?: unknown };
  } catch (error) {
    throw new ConfigurationError(
      `PLUGINS_DIR: ${path} cannot be loaded (${(error as Error).message}); correct the file or remove it`,
    );
  }
  const plugin = module.default as Partial<ScrapePlugin> | null | undefined;
  const problem = problemOf(plugin);
  if (problem !== null)
    throw new ConfigurationError(
      `PLUGINS_DIR: ${path} is not a plugin: ${problem}; correct the file or remove it`,
    );
  return plugin as ScrapePlugin;
}

function problemOf(plugin: Partial<ScrapePlugin> | null | undefined): string | null {
  if (typeof plugin !== 'object' || plugin === null) return 'its default export must be an object';
  if (typeof plugin.name !== 'string' || !NAME.test(plugin.name))
    return '"name" must be lower-case letters, digits and "_", beginning with a letter';
  if (typeof plugin.description !== 'string' || plugin.description === '')
    return '"description" must be a text';
  const hooks = [plugin.onPosts, plugin.onComments].filter((hook) => hook !== undefined);
  if (hooks.length === 0 || hooks.some((hook) => typeof hook !== 'function'))
    return '"onPosts" or "onComments" must be a function';
  return null;
}
