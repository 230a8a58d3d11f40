import { decodedName } from '../../common/strings.js';
import { asArray, asObject, asText } from '../http/response-parsing.js';
import type { SiteClient, SiteRequest } from '../sites/site-client.js';
import { unreadable } from '../http/with-retry.js';
import type { PlatformSession } from '../platform.js';
import { requireOpen } from './discourse-api.js';
import { fetchCategories, findCategory } from './discourse-categories.js';
import { type DiscourseTarget, nameOfDiscourseTarget } from './discourse-target.js';
import { type DiscourseTopic, readTopicSummary } from './discourse-wire.js';
import { tellUnread } from '../unread-posts.js';

/** Topics per page. Sites that do not know the parameter send 30. */
const PAGE_SIZE = 50;

/** A page of a listing. */
export interface TopicPage {
  topics: DiscourseTopic[];
  /** Number of its topics, those that cannot be read included. */
  received: number;
  after: string | null;
  /** The category of a category's listing, with its path on the site. */
  category: { id: number; path: string } | null;
}

/** The request for a page of a target; `after` is the number and the path of a page. */
export async function listingRequest(
  client: SiteClient,
  target: DiscourseTarget,
  after: string | null,
  session: PlatformSession,
): Promise<SiteRequest<TopicPage>> {
  const [, number = '0', path = await pathOf(client, target, session)] =
    /^(\d+) (\/.*)$/.exec(after ?? '') ?? [];
  return {
    what: `the forum "${nameOfDiscourseTarget(target)}"`,
    path: `${path}.json`,
    params: {
      ...(target.kind === 'top' && { period: 'all' }),
      ...(target.kind !== 'top' && { per_page: String(PAGE_SIZE) }),
      page: number,
    },
    isUrgent: true,
    refused: (_status, body) => requireOpen(client, body),
    read: (json, { path: shownPath }) => {
      const list = asObject(asObject(json)?.topic_list);
      if (!Array.isArray(list?.topics)) return unreadable('unexpected content');
      const canonical = shownPath.replace(/\.json$/, '');
      const topics = asArray(list.topics).flatMap((topic) => readTopicSummary(topic) ?? []);
      tellUnread(session, list.topics.length - topics.length);
      return {
        done: true,
        value: {
          topics,
          received: list.topics.length,
          after: asText(list.more_topics_url) === null ? null : `${Number(number) + 1} ${canonical}`,
          category: target.kind === 'category' ? categoryOf(canonical) : null,
        },
      };
    },
  };
}

async function pathOf(
  client: SiteClient,
  target: DiscourseTarget,
  session: PlatformSession,
): Promise<string> {
  switch (target.kind) {
    case 'latest':
    case 'top':
      return `/${target.kind}`;
    case 'tag':
      return `/tag/${encodeURIComponent(target.tag)}/l/latest`;
    case 'user':
      return `/topics/created-by/${encodeURIComponent(target.name)}`;
    case 'category': {
      // A site redirects from a wrong slug to the right one.
      const slugs = target.slugs.map(encodeURIComponent);
      const id = target.id ?? findCategory(await fetchCategories(client, session), target.slugs, client.site);
      return `/c/${[...slugs, id].join('/')}/l/latest`;
    }
  }
}

/** The category of the path of a listing to which the site did not object. */
function categoryOf(path: string): { id: number; path: string } | null {
  const [, slugs, id] = /^\/c\/(.+)\/(\d+)\/l\/latest$/.exec(path) ?? [];
  return slugs === undefined ? null : { id: Number(id), path: decodedName(slugs) };
}
