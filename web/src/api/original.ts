import { KINDS } from './kinds.ts';

/**
 * The address of a post or comment where it was published; null for unknown sources and for synthetic posts, which are
 * published nowhere.
 */
export function originalAddress({ id, permalink }: { id: string; permalink: string }): string | null {
  const source = KINDS.sources.find(({ postPrefix }) => id.startsWith(postPrefix));
  if (source === undefined || source.source === 'synthetic' || !permalink.startsWith('/')) return null;
  // The site in an id is what stands between its first and its last `_`.
  const site = id.slice(id.indexOf('_') + 1, id.lastIndexOf('_'));
  const origins: Readonly<Record<string, string>> = source.origins;
  return (origins[site] ?? source.origin.replace('{site}', site)) + permalink;
}

/** The name of the source of a post, from the prefix of its id; null for an unknown one. */
export const sourceOf = (postId: string): string | null =>
  KINDS.sources.find(({ postPrefix }) => postId.startsWith(postPrefix))?.source ?? null;

/** What people call a source; the source itself when the dashboard does not know it. */
export const sourceName = (source: string): string =>
  KINDS.sources.find((known) => known.source === source)?.name ?? source;

/** The path of a post or comment that follows from its id alone; null for others. */
export function pathOfId(id: string): string | null {
  const [prefix, ...rest] = id.split('_');
  if (rest.length !== 1) return null;
  if (prefix === 't3') return `/comments/${rest[0]}`;
  return prefix === 'hn' ? `/item?id=${rest[0]}` : null;
}
