import { nextQuery } from '../http/link-header.js';
import { asObject, asText, type WireObject } from '../http/response-parsing.js';
import type { ResponseOrigin, SiteClient, SiteRequest } from '../sites/site-client.js';
import type { Attempt } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { filledPage } from '../filled-page.js';
import { idIn, isUnindexed, type MastodonStatus, readStatus, readStatuses } from './mastodon-wire.js';
import type { MastodonTarget } from './mastodon-target.js';
import { tellUnread } from '../unread-posts.js';

/** Statuses per page of a timeline. */
const PAGE_SIZE = 40;
/** Sizes to which other software limits a page. A first page of such a size is taken for a full one. */
const LOWER_PAGE_SIZES: ReadonlySet<number> = new Set([20, 30]);
/** A page without a link that lacks more statuses than this is the last. */
const MAX_LEFT_OUT = 10;
/** The answer to a request that the software does not know. */
const LACKING: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
/** Statuses that a request asks for by their ids. */
const STATUSES_PER_REQUEST = 20;

/** A page of a timeline as received, newest first. */
export interface TimelinePage {
  statuses: MastodonStatus[];
  /** Number of its statuses, those that cannot be read included. */
  received: number;
  /** Id of the account of a user's timeline, id of the last status, and size of a full page; null at the end. */
  after: string | null;
}

/** The REST API of one instance, for visitors. */
export class MastodonApi {
  constructor(
    private readonly client: SiteClient,
    private readonly ignoresNoindex: boolean,
  ) {}

  /** A page of a target; `after` is that of the page before it. */
  readTimeline(
    target: MastodonTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<TimelinePage> {
    return filledPage(after, (from) => this.readPage(target, from, session));
  }

  private async readPage(
    target: MastodonTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<TimelinePage> {
    const [known = '', last = '', size] = after?.split(' ') ?? [];
    const found =
      target.kind === 'user' && known === '' ? await this.findAccount(target.name, session) : null;
    const account = found?.id ?? known;
    const [path, filter] = pathOf(target, account);
    const params = { ...filter, limit: String(PAGE_SIZE), ...(last !== '' && { max_id: last }) };
    const what = `the timeline of ${describe(target)}`;
    const page = this.fetch<TimelinePage>(what, path, params, session, (json, { link }) => {
      if (!Array.isArray(json)) return null;
      if (json.length === 0 && found !== null && found.movedTo !== null)
        throw new PlatformError(
          'target_not_found',
          `${describe(target)} has moved to ${found.movedTo}. Name that in the target`,
        );
      const full = Number(size ?? (LOWER_PAGE_SIZES.has(json.length) ? json.length : PAGE_SIZE));
      const next = nextId(json, link, full);
      const statuses = readStatuses(json);
      tellUnread(session, json.length - statuses.length);
      return {
        statuses,
        received: json.length,
        after: next === null ? null : `${account} ${next} ${full}`,
      };
    });
    const isClosed = page.then(
      ({ statuses }) => after === null && statuses.length === 0,
      (error: unknown) => error instanceof PlatformError && error.code === 'target_private',
    );
    if (target.kind !== 'user' && (await isClosed)) await this.requireOpen(target.kind, what, session);
    return page;
  }

  /** Throws {@link PlatformError} where an instance says (since 4.5) that visitors get no such timeline; one that is closed can look empty. */
  private async requireOpen(kind: 'local' | 'tag', what: string, session: PlatformSession): Promise<void> {
    const access = await this.client.document<WireObject | null>(
      {
        what: 'the instance',
        path: '/api/v2/instance',
        isUrgent: true,
        read: (json) => ({
          done: true,
          value: asObject(asObject(asObject(json)?.configuration)?.timelines_access),
        }),
        refused: () => ({ done: true, value: null }),
      },
      session,
    );
    const name = kind === 'local' ? 'live_feeds' : 'hashtag_feeds';
    const feed = asObject(access?.[name]);
    const origins = kind === 'local' ? ['local'] : ['local', 'remote'];
    const closed = origins.filter((origin) =>
      /^(?:authenticated|disabled)$/.test(asText(feed?.[origin]) ?? ''),
    );
    if (closed.length === 0) return;
    const settings = closed.map((origin) => `${origin} ${asText(feed?.[origin])}`).join(', ');
    throw new PlatformError(
      'target_private',
      `${this.client.site} does not show visitors ${what} (${name}: ${settings})`,
    );
  }

  /** The statuses below a status, as far as visitors get them; null when there is no such status. */
  readContext(id: string, session: PlatformSession): Promise<MastodonStatus[] | null> {
    return this.fetch<MastodonStatus[] | null>(
      `the replies to ${id}`,
      `/api/v1/statuses/${id}/context`,
      {},
      session,
      (json) => {
        const below = asObject(json)?.descendants;
        return Array.isArray(below) ? readStatuses(below) : null;
      },
      nullWhenMissing,
    );
  }

  /** Statuses by their ids; those that are not there are left out. */
  async readStatuses(ids: readonly string[], session: PlatformSession): Promise<MastodonStatus[]> {
    const found: MastodonStatus[] = [];
    for (let at = 0; at < ids.length; at += STATUSES_PER_REQUEST) {
      const params = ids.slice(at, at + STATUSES_PER_REQUEST).map((id): [string, string] => ['id[]', id]);
      const page = await this.fetch<MastodonStatus[] | 'unknown'>(
        `${params.length} statuses`,
        '/api/v1/statuses',
        params,
        session,
        (json) => (Array.isArray(json) ? readStatuses(json) : null),
        (status) => (LACKING.has(status) ? { done: true, value: 'unknown' } : null),
      );
      if (page === 'unknown') return [...found, ...(await this.readOneByOne(ids.slice(at), session))];
      found.push(...page);
    }
    return found;
  }

  /** For instances before 4.3 and other software, which know no list of statuses. */
  private async readOneByOne(ids: readonly string[], session: PlatformSession): Promise<MastodonStatus[]> {
    const found: MastodonStatus[] = [];
    for (const id of ids) {
      const status = await this.readStatus(id, session);
      if (status !== null) found.push(status);
    }
    return found;
  }

  /** One status; null only if the instance says that there is none, or none for visitors. */
  readStatus(id: string, session: PlatformSession): Promise<MastodonStatus | null> {
    return this.fetch(`the status ${id}`, `/api/v1/statuses/${id}`, {}, session, readStatus, nullWhenMissing);
  }

  /**
   * The id of an account, and the name of the one to which it moved. Throws {@link PlatformError} for one that is not
   * there or asks not to be indexed.
   */
  private async findAccount(
    name: string,
    session: PlatformSession,
  ): Promise<{ id: string; movedTo: string | null }> {
    const { site } = this.client;
    const what = `the account "${name}"`;
    const account = await this.fetch(what, '/api/v1/accounts/lookup', { acct: name }, session, asObject);
    if (account.suspended === true) throw new PlatformError('target_banned', `${site} has suspended ${what}`);
    if (!this.ignoresNoindex && isUnindexed(account))
      throw new PlatformError(
        'target_forbidden',
        `The account "${name}" on ${site} asks not to be indexed. The operator can ignore it with SOURCE_IGNORE_NOINDEX=true`,
      );
    const id = idIn(account.id);
    if (id === null) throw new PlatformError('bad_answer', `${site} sent ${what} without an id`);
    return { id, movedTo: asText(asObject(account.moved)?.acct) };
  }

  private fetch<T>(
    what: string,
    path: string,
    params: SiteRequest<T>['params'],
    session: PlatformSession,
    read: (json: unknown, origin: ResponseOrigin) => T | null,
    refused?: (status: number, body: WireObject | null) => Attempt<T> | null,
  ): Promise<NonNullable<T> | T> {
    return this.client.read<T>(
      {
        what,
        path,
        params,
        read,
        refused: (status, body) => {
          // Before 4.5, what is for members only is refused with status 422.
          if (/authenticated user/.test(asText(body?.error) ?? ''))
            throw new PlatformError(
              'target_private',
              `${this.client.site} shows ${what} only to its members`,
            );
          return refused?.(status, body) ?? null;
        },
      },
      session,
    );
  }
}

/**
 * The id before which the next page begins; null at the end. Instances leave out hidden statuses after they have limited
 * a page, so a short or empty page that links on is not the last. Of pages without a link, one that lacks more than a few
 * statuses is the last.
 */
function nextId(page: readonly unknown[], link: string | null, full: number): string | null {
  if (link === null && page.length < full - MAX_LEFT_OUT) return null;
  return idIn(link === null ? asObject(page.at(-1))?.id : nextQuery(link)?.get('max_id'));
}

function pathOf(target: MastodonTarget, account: string): [string, Record<string, string>] {
  switch (target.kind) {
    case 'local':
      return ['/api/v1/timelines/public', { local: 'true' }];
    case 'tag':
      return [`/api/v1/timelines/tag/${encodeURIComponent(target.name)}`, {}];
    case 'user':
      return [`/api/v1/accounts/${encodeURIComponent(account)}/statuses`, { exclude_reblogs: 'true' }];
  }
}

function describe(target: MastodonTarget): string {
  if (target.kind === 'local') return 'the instance';
  return target.kind === 'tag' ? `the tag "#${target.name}"` : `the account "${target.name}"`;
}

/** An instance answers with an error of its own; a page in front of it means nothing. */
const nullWhenMissing = (status: number, body: WireObject | null): Attempt<null> | null =>
  (status === 404 || status === 410) && asText(body?.error) !== null ? { done: true, value: null } : null;
