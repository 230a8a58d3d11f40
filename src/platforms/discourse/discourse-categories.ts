import { asArray, asObject, asText } from '../http/response-parsing.js';
import type { SiteClient } from '../http/site-client.js';
import { unreadable } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { idOf } from './discourse-wire.js';

/** The paths of a site's categories (`support`, `support/howto`), by id. */
export type CategoryPaths = ReadonlyMap<number, string>;

/** A category's parents; more than sites allow. */
const MAX_DEPTH = 5;

/** The categories that a site shows to visitors; read once an hour for all jobs. */
export function fetchCategories(client: SiteClient, session: PlatformSession): Promise<CategoryPaths> {
  return client.document(
    {
      what: 'the categories',
      path: '/site.json',
      isUrgent: true,
      read: (json) => {
        const categories = asObject(json)?.categories;
        return Array.isArray(categories)
          ? { done: true, value: pathsOf(categories) }
          : unreadable('no categories');
      },
    },
    session,
  );
}

/** The id of a category by its slug, or by its slug and those of its parents. Throws `target_not_found`. */
export function findCategory(categories: CategoryPaths, slugs: readonly string[], site: string): number {
  const path = slugs.join('/');
  const ids = [...categories].filter(([, one]) => one === path || one.endsWith(`/${path}`));
  const [id] = ids.find(([, one]) => one === path) ?? ids[0] ?? [];
  if (id === undefined)
    throw new PlatformError(
      'target_not_found',
      `There is no category "${path}" on ${site}, or not for visitors`,
    );
  return id;
}

function pathsOf(values: readonly unknown[]): CategoryPaths {
  const known = new Map<number, { slug: string; parent: number | null }>();
  for (const value of asArray(values)) {
    const category = asObject(value);
    const id = idOf(category?.id);
    if (category !== null && id !== null)
      known.set(id, { slug: asText(category.slug) ?? String(id), parent: idOf(category.parent_category_id) });
  }
  const pathOf = (id: number, depth: number): string => {
    const { slug, parent } = known.get(id)!;
    return parent !== null && known.has(parent) && depth < MAX_DEPTH
      ? `${pathOf(parent, depth + 1)}/${slug}`
      : slug;
  };
  return new Map([...known.keys()].map((id) => [id, pathOf(id, 0)]));
}
