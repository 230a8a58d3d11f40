import { asArray, asId, asKey, asObject, asText, type WireObject } from '../http/response-parsing.js';
import { type Attempt } from '../http/with-retry.js';
import type { SiteClient } from '../sites/site-client.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { filledPage } from '../filled-page.js';
import { cursorOf, type Dialect, notSafeForWork, numberedPage, type ViewPage } from './dialect.js';
import { describeTarget, type LemmyTarget } from './lemmy-target.js';
import { type LemmyComment, readComments } from './lemmy-wire.js';
import { isNsfwOnPiefed, viewOfPiefed } from './piefed-wire.js';

/** The most that a list gives at a time. Instances may give fewer. */
const PAGE_SIZE = 50;
/** Pages of a thread. */
const MAX_PAGES = 200;
/** What the messages of errors say about content that is not there. All errors have status 400. */
const MISSING = /not found|no row was found|nonetype/i;

/** A page of a list as received. */
interface PiefedList {
  views: (WireObject | null)[];
  /** The number of the next page; null at the end. */
  next: string | null;
}

/** PieFed: an API after the model of version 3 of Lemmy's, with numbered pages. */
export class PiefedApi implements Dialect {
  constructor(
    private readonly client: SiteClient,
    private readonly showsNsfw: boolean,
  ) {}

  /** `after` is the number of a page (`2`), for a user with that of the account before it (`31 2`). */
  async listPosts(target: LemmyTarget, after: string | null, session: PlatformSession): Promise<ViewPage> {
    const page = await filledPage(after, (from) => this.postPage(target, from, session));
    if (after === null && page.received === 0 && target.kind === 'community')
      await this.requireShown(target.name, session);
    const views = page.views.map((view) =>
      view !== null && !this.showsNsfw && isNsfwOnPiefed(view) ? { ...view, isLeftOut: true } : view,
    );
    return { views, after: page.after };
  }

  private async postPage(
    target: LemmyTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<{ views: (WireObject | null)[]; after: string | null; received: number }> {
    const { page, subject: known } = numberedPage(after);
    const person =
      target.kind === 'user' ? (known ?? String(await this.findPerson(target.name, session))) : null;
    const list = await this.list(
      describeTarget(target),
      '/post/list',
      {
        type_: target.kind === 'local' ? 'Local' : 'All',
        sort: 'New',
        ...(target.kind === 'community' && { community_name: target.name, ignore_sticky: 'true' }),
        ...(person !== null && { person_id: person }),
        ...(this.showsNsfw && { nsfw: 'Include' }),
      },
      page,
      session,
    );
    const next = list.next === null ? null : cursorOf({ page: Number(list.next), subject: person });
    return { views: list.views, after: next, received: list.views.length };
  }

  /** A list names no community that is not there: it is empty. */
  private async requireShown(name: string, session: PlatformSession): Promise<void> {
    const what = `the community "${name}"`;
    const read = (json: unknown): WireObject | null => asObject(asObject(json)?.community_view);
    const view = await this.fetch(what, '/community', { name }, session, read);
    if (!this.showsNsfw && isNsfwOnPiefed(view)) throw notSafeForWork(this.client.site, what);
  }

  private findPerson(name: string, session: PlatformSession): Promise<number> {
    const read = (json: unknown): number | null =>
      asId(asObject(asObject(asObject(json)?.person_view)?.person)?.id);
    return this.fetch(`the account "${name}"`, '/user', { username: name }, session, read);
  }

  /** A community's comments are listed by its number, which a target does not name. */
  listsComments({ kind }: LemmyTarget): boolean {
    return kind === 'all';
  }

  async listNewComments(
    _target: LemmyTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<ViewPage> {
    const what = 'the newest comments';
    const page = await this.list(what, '/comment/list', { sort: 'New' }, Number(after ?? 1), session);
    return { views: page.views, after: page.next };
  }

  async listComments(postId: string, session: PlatformSession): Promise<LemmyComment[] | null> {
    const comments = new Map<number, LemmyComment>();
    for (let page: number | null = 1; page !== null && page <= MAX_PAGES;) {
      const params = { post_id: postId, sort: 'Old' };
      const what = `the comments of the post ${postId}`;
      const list: PiefedList = await this.list(what, '/comment/list', params, page, session);
      for (const comment of readComments(list.views)) comments.set(comment.id, comment);
      page = list.next === null ? null : Number(list.next);
    }
    return [...comments.values()];
  }

  getView(kind: 'post' | 'comment', id: string, session: PlatformSession): Promise<WireObject | null> {
    const read = (json: unknown): WireObject | null => viewOfPiefed(asObject(json)?.[`${kind}_view`]);
    return this.fetch(`the ${kind} ${id}`, `/${kind}`, { id }, session, read, null);
  }

  private list(
    what: string,
    path: string,
    params: Record<string, string>,
    page: number,
    session: PlatformSession,
  ): Promise<PiefedList> {
    const paged = { ...params, limit: String(PAGE_SIZE), ...(page > 1 && { page: String(page) }) };
    return this.fetch(what, path, paged, session, (json) => {
      const body = asObject(json) ?? {};
      const items = body.posts ?? body.comments;
      if (!Array.isArray(items)) return null;
      const views = asArray(items).map(viewOfPiefed);
      // Old versions do not say whether there are further comments.
      const further = views.length === 0 ? null : String(page + 1);
      return { views, next: 'next_page' in body ? asKey(body.next_page) : further };
    });
  }

  /** `read` gives null for an unexpected shape; `missing` is the result for what is not there, which is otherwise an error. */
  private fetch<T, M = never>(
    what: string,
    path: string,
    params: Record<string, string>,
    session: PlatformSession,
    read: (json: unknown) => T | null,
    missing?: M,
  ): Promise<T | M> {
    return this.client.read<T | M>(
      {
        what,
        path: `/api/alpha${path}`,
        params,
        read,
        refused: (status, body) => this.refusal(what, status, body, missing),
      },
      session,
    );
  }

  private refusal<M>(
    what: string,
    status: number,
    body: WireObject | null,
    missing: M | undefined,
  ): Attempt<M> | null {
    const { site } = this.client;
    const said = asText(body?.message) ?? asText(body?.error) ?? '';
    if (/not enabled/i.test(said))
      throw new PlatformError('target_forbidden', `${site} has switched off its API for programs`);
    if (status !== 404 && !MISSING.test(said)) return null;
    if (missing !== undefined) return { done: true, value: missing };
    throw new PlatformError('target_not_found', `${site} has nothing there, or not for visitors: ${what}`);
  }
}
