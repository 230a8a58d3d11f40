import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlatformDefinition } from '../platform-definition.js';
import { PlatformRegistry } from '../platform-registry.js';
import { problemOfDefinition } from './definition-problem.js';
import { SOURCE_TOOLS, type SourceTools } from './source-tools.js';

/** The definitions of a folder, or why it cannot be used: a sentence with the remedy. */
export type LoadedSources = { definitions: PlatformDefinition[]; failure: string | null };

/**
 * Loads the default export of every `.js` and `.mjs` file of `SOURCES_DIR`: a definition, or a function that makes one
 * with {@link SOURCE_TOOLS}. They are code, and run with all rights of the service. Does not throw.
 */
export async function loadSources(
  folder: string | undefined,
  builtIn: readonly PlatformDefinition[],
): Promise<LoadedSources> {
  if (folder === undefined || folder === '') return { definitions: [], failure: null };
  const definitions: PlatformDefinition[] = [];
  try {
    for (const file of await modulesOf(folder)) {
      const definition = await loadSource(join(folder, file));
      definitions.push(definition);
      requireUnique(file, [...builtIn, ...definitions]);
    }
    return { definitions, failure: null };
  } catch (error) {
    return { definitions: [], failure: `SOURCES_DIR: ${(error as Error).message}` };
  }
}

/** Loads the source in a file. Throws an error that names the file and the remedy. */
export async function loadSource(path: string): Promise<PlatformDefinition> {
  let definition: unknown;
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    definition =
      typeof module.default === 'function'
        ? (module.default as (tools: SourceTools) => unknown)(SOURCE_TOOLS)
        : module.default;
  } catch (error) {
    throw new Error(`${path} cannot be loaded (${(error as Error).message}); correct the file or remove it`, {
      cause: error,
    });
  }
  const problem = problemOfDefinition(definition);
  if (problem !== null)
    throw new Error(
      `${path} is not a source: ${problem}. Correct the file as docs/sources-writing.md says, or remove it`,
    );
  return definition as PlatformDefinition;
}

/** Names of the modules of a folder, in order. Throws when it cannot be read. */
export async function modulesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => /\.m?js$/.test(file)).sort();
  } catch (error) {
    throw new Error(
      `${folder} cannot be read (${(error as NodeJS.ErrnoException).code}); set it to a folder with sources or unset it`,
      { cause: error },
    );
  }
}

function requireUnique(file: string, definitions: readonly PlatformDefinition[]): void {
  try {
    new PlatformRegistry(definitions);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}; rename it or remove the file`, { cause: error });
  }
}
