import { asArray, asId, asInteger, asObject, asObjects, type WireObject } from '../http/response-parsing.js';
import type { SiteClient } from '../sites/site-client.js';
import { readAs } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { requireOpen } from './discourse-api.js';
import { slugIn } from './discourse-wire.js';

/** The categories that a site shows to visitors. */
export interface Categories {
  /** Their paths (`support`, `support/howto`), by id. */
  paths: ReadonlyMap<number, string>;
  /** Their numbers of topics, without those of the categories below them, by id. */
  topics: ReadonlyMap<number, number>;
  /** Number of posts in all of them. */
  posts: number;
}

/** Of a site that shows none: all its topics have the forum of the site. */
const NO_CATEGORIES: Categories = { paths: new Map(), topics: new Map(), posts: 0 };
/** A category's parents; more than sites allow. */
const MAX_DEPTH = 5;

/** The categories of a site; read once an hour for all jobs. Sites with very many leave them out of their first page. */
export async function fetchCategories(client: SiteClient, session: PlatformSession): Promise<Categories> {
  const request = {
    what: 'the categories',
    isUrgent: true,
    refused: (status: number, body: WireObject | null) => {
      requireOpen(client, body);
      return status === 404 ? ({ done: true, value: 'elsewhere' } as const) : null;
    },
  };
  const known = await client.document<Categories | 'elsewhere'>(
    {
      ...request,
      path: '/site.json',
      read: (json) => {
        const site = asObject(json);
        const categories = site && (Array.isArray(site.categories) ? read(site.categories) : 'elsewhere');
        return readAs<Categories | 'elsewhere'>(categories);
      },
    },
    session,
  );
  if (known !== 'elsewhere') return known;
  const listed = await client.document<Categories | 'elsewhere'>(
    {
      ...request,
      path: '/categories.json',
      params: { include_subcategories: 'true' },
      read: (json) => {
        const list = asObject(asObject(json)?.category_list)?.categories;
        return readAs<Categories | 'elsewhere'>(Array.isArray(list) ? read(withSubcategories(list)) : null);
      },
    },
    session,
  );
  return listed === 'elsewhere' ? NO_CATEGORIES : listed;
}

/** The id of a category by its slug, or by its slug and those of its parents. Throws `target_not_found`. */
export function findCategory({ paths }: Categories, slugs: readonly string[], site: string): number {
  const path = slugs.join('/');
  const names = [...paths].map(([id, one]) => [id, one.toLowerCase()] as const);
  const ids = names.filter(([, one]) => one === path || one.endsWith(`/${path}`));
  const [id] = ids.find(([, one]) => one === path) ?? ids[0] ?? [];
  if (id === undefined)
    throw new PlatformError(
      'target_not_found',
      `There is no category "${path}" on ${site}, or not for visitors`,
    );
  return id;
}

/** Number of topics of a category with those below it; of the whole site for null. */
export function topicsIn({ paths, topics }: Categories, id: number | null): number {
  const path = id === null ? null : paths.get(id);
  let sum = 0;
  for (const [one, count] of topics)
    if (path === null || one === id || paths.get(one)?.startsWith(`${path}/`)) sum += count;
  return sum;
}

function withSubcategories(values: readonly unknown[], depth = 0): unknown[] {
  return values.flatMap((value) => {
    const below = depth < MAX_DEPTH ? asArray(asObject(value)?.subcategory_list) : [];
    return [value, ...withSubcategories(below, depth + 1)];
  });
}

function read(values: readonly unknown[]): Categories {
  const known = new Map<number, { slug: string; parent: number | null }>();
  const topics = new Map<number, number>();
  let posts = 0;
  for (const category of asObjects(values)) {
    const id = asId(category.id);
    if (id === null) continue;
    known.set(id, { slug: slugIn(category.slug) ?? String(id), parent: asId(category.parent_category_id) });
    topics.set(id, asInteger(category.topic_count) ?? 0);
    posts += asInteger(category.post_count) ?? 0;
  }
  const pathOf = (id: number, depth: number): string => {
    const { slug, parent } = known.get(id)!;
    return parent !== null && known.has(parent) && depth < MAX_DEPTH
      ? `${pathOf(parent, depth + 1)}/${slug}`
      : slug;
  };
  return { paths: new Map([...known.keys()].map((id) => [id, pathOf(id, 0)])), topics, posts };
}
