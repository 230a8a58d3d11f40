import { domainToASCII } from 'node:url';
import { decodedName, percentDecoded } from '../../common/strings.js';
import { parsedAs } from '../sites/site-targets.js';
import { SEARCH_TOPIC } from '../stream-batch.js';
import type { Target } from '../platform.js';
import type { ParsedTarget, Resolution } from '../platform-definition.js';

/**
 * The subject of a target of Bluesky, by its name in the normal form: handles and tags (`#topic`) in lower case, lists and
 * feeds by their AT-URI, searches as `search/QUERY`.
 */
export type BlueskyTarget =
  | { kind: 'user' | 'list' | 'feed'; name: string }
  | { kind: 'tag'; name: string }
  | { kind: 'search'; name: string };

const MAX_HANDLE_LENGTH = 253;
const HANDLE = /^(?=.{3,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;
const TAG = /^#[^\s#/?@]{1,64}$/u;
/** Queries without a letter or a digit find nothing. */
const SEARCHABLE = /[\p{L}\p{N}]/u;
const MAX_QUERY_LENGTH = 500;
const DID = /^did:[a-z]+:[A-Za-z0-9.:%-]{1,256}$/;
const RECORD =
  /^at:\/\/did:[a-z]+:[A-Za-z0-9.:%-]{1,256}\/app\.bsky\.(?:graph\.list|feed\.generator)\/[A-Za-z0-9._:~-]{1,512}$/;

/** Parses a target without its prefix; null for another form. */
export function readBlueskyTarget(target: Target): BlueskyTarget | null {
  const name = target.name.trim();
  if (target.type === 'user') {
    const handle = name.replace(/^@/, '');
    if (DID.test(handle)) return { kind: 'user', name: handle };
    const ascii = handle.length <= MAX_HANDLE_LENGTH ? domainToASCII(handle) : '';
    return HANDLE.test(ascii) ? { kind: 'user', name: ascii } : null;
  }
  const tag = decodedName(name);
  if (TAG.test(tag)) return { kind: 'tag', name: tag.toLowerCase() };
  if (name.slice(0, SEARCH_TOPIC.length).toLowerCase() === SEARCH_TOPIC) {
    const query = name.slice(SEARCH_TOPIC.length).trim();
    const isQuery = query.length <= MAX_QUERY_LENGTH && !query.includes('\n') && SEARCHABLE.test(query);
    return isQuery ? { kind: 'search', name: `${SEARCH_TOPIC}${query}` } : null;
  }
  if (!RECORD.test(name)) return null;
  return { kind: name.includes('/app.bsky.graph.list/') ? 'list' : 'feed', name };
}

const FORMS =
  'bsky:HANDLE with target_type "user", or bsky:#TOPIC, bsky:search/QUERY, bsky:at://DID/app.bsky.graph.list/ID and bsky:at://DID/app.bsky.feed.generator/ID';

/** The normal form of a target, or why it cannot exist. */
export function parseBlueskyTarget(target: Target): ParsedTarget {
  return parsedAs('bsky', target, readBlueskyTarget(target)?.name, FORMS);
}

/** The account, tag, list or feed at an address of the web application; null for any other address. */
export function resolveBluesky({ hostname, pathname, searchParams }: URL): Resolution | null {
  const [section, account = '', kind = '', id = ''] = pathname.split('/').slice(1).map(percentDecoded);
  if (!/^(?:www\.|m\.|staging\.)?bsky\.app$/.test(hostname)) return null;
  const query = (searchParams.get('q') ?? '').trim();
  if (section === 'search' && query.startsWith('#')) return resolved({ type: 'forum', name: query });
  if (section === 'search') return resolved({ type: 'forum', name: `search/${query}` });
  if (section === 'hashtag') return resolved({ type: 'forum', name: `#${account}` });
  if (section !== 'profile')
    return { refusal: 'The address names no account and no tag. Write bsky:HANDLE or bsky:#TOPIC' };
  if (kind !== 'lists' && kind !== 'feed') return resolved({ type: 'user', name: account });
  const collection = kind === 'lists' ? 'graph.list' : 'feed.generator';
  return resolved({ type: 'forum', name: `at://${account}/app.bsky.${collection}/${id}` });
}

/** Sections of the pages of an account, by the collections of its records. */
const SECTION_OF: Readonly<Record<string, string>> = {
  'app.bsky.feed.post': 'post',
  'app.bsky.graph.list': 'lists',
  'app.bsky.feed.generator': 'feed',
};

/** The address of the page of an account or record, given by its AT-URI; null for another text. */
export function addressOfUri(text: string): string | null {
  const [, account, collection = '', id = ''] =
    /^(?:at:\/\/|(?=did:))([A-Za-z0-9.:%-]+)(?:\/([A-Za-z.]+))?(?:\/([A-Za-z0-9._:~-]+))?$/.exec(text) ?? [];
  if (account === undefined) return null;
  const section = Object.hasOwn(SECTION_OF, collection) ? `/${SECTION_OF[collection]}/${id}` : '';
  return `https://bsky.app/profile/${account}${section}`;
}

function resolved(target: Target): Resolution {
  const parsed = parseBlueskyTarget(target);
  if ('refusal' in parsed) return parsed;
  const { name, type } = parsed.target;
  return { target: `bsky:${name}`, targetType: type, name: type === 'user' ? `@${name}` : name };
}
