import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../platforms/platform.js';
import { targetOf, type World } from './check-world.js';
import { CheckedPlatform } from './source-walk.js';

/** More pages than a recording has. */
const MAX_PAGES = 200;

/** Each page can be read again from its cursor, by a platform that has not read the pages before it. */
export async function checkPaging({ definition, recorded, server, source }: World): Promise<string[]> {
  const problems: string[] = [];
  for (const expected of recorded.targets) {
    const listing = {
      target: targetOf(definition, expected),
      name: source.platform.listings[0],
      wanted: 1_000,
    };
    const listed = new Set<string>();
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const other = new CheckedPlatform(definition, server.variables);
      const [one, again] = await Promise.all(
        [source, other].map((each) => each.platform.fetchListing(listing, after, each.session())),
      ).finally(() => other.close());
      for (const { id } of one!.posts) listed.add(id);
      const ids = [one!, again!].map(({ posts }) => posts.map(({ id }) => id));
      if (!isDeepStrictEqual(ids[0], ids[1]))
        problems.push(`${expected.target}: a page is not the same when a job goes on from its cursor`);
      if (one!.after !== null && one!.after === after)
        problems.push(`${expected.target}: a page repeats its cursor, so that the listing does not end`);
      after = one!.after === after ? null : one!.after;
      if (after === null) break;
    }
    if (after !== null)
      problems.push(`${expected.target}: the listing does not end within ${MAX_PAGES} pages`);
    const unlisted = expected.posts.filter((id) => !listed.has(id));
    if (unlisted.length > 0) problems.push(`${expected.target}: the listing ends before ${unlisted[0]}`);
  }
  return problems;
}

/** A page with fewer posts than the site gives at a time is not taken for the last one: sites leave out hidden posts. */
export async function checkShortPages({ definition, recorded, server, source }: World): Promise<string[]> {
  const problems: string[] = [];
  for (const expected of recorded.targets) {
    const target = targetOf(definition, expected);
    await listedIds(source, target);
    server.reset();
    const listing = await listedIds(source, target);
    server.shortened = server.requested.at(-1)?.split('?', 1)[0] ?? null;
    const found = await listedIds(source, target);
    const lacking = listing.filter((id) => !found.includes(id));
    if (lacking.length > server.leftOut)
      problems.push(`${expected.target}: the listing ends at a page that lacks a post, before ${lacking[0]}`);
  }
  return problems;
}

async function listedIds(source: CheckedPlatform, target: Target): Promise<string[]> {
  const { platform } = source;
  const ids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listing = { target, name: platform.listings[0], wanted: 1_000 };
    const { posts, after: next } = await platform.fetchListing(listing, after, source.session());
    ids.push(...posts.map(({ id }) => id));
    if (next === null || next === after) break;
    after = next;
  }
  return ids;
}
