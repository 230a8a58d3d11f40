import { asArray, asId, asNumber, asObject, storable, type WireObject } from '../http/response-parsing.js';
import type { SiteClient } from '../sites/site-client.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { filledPage } from '../filled-page.js';
import { cursorOf, type Dialect, numberedPage, type ViewPage } from './dialect.js';
import { describeTarget, type LemmyTarget } from './lemmy-target.js';
import { type LemmyComment, readComments } from './lemmy-wire.js';
import {
  type CutBranch,
  isUnindexedOnMbin,
  MAX_LEVELS,
  viewOfEntry,
  viewOfOneComment,
  viewsOfTrees,
} from './mbin-wire.js';

/** The most that a list gives at a time. */
const PAGE_SIZE = 100;
/** Pages of a thread. */
const MAX_PAGES = 200;
/** Requests for replies that are too deep for the answers with those above them. */
const MAX_BRANCHES = 100;
const DEPTH = { d: String(MAX_LEVELS) };

/** A page of a list as received. */
interface MbinList {
  items: readonly unknown[];
  /** The number of the next page; null at the end. */
  next: number | null;
}

/** Mbin: magazines with entries and trees of comments. It lists no comments of a whole magazine or instance. */
export class MbinApi implements Dialect {
  constructor(
    private readonly client: SiteClient,
    private readonly ignoresNoindex: boolean,
  ) {}

  /** `after` is the number of the magazine or account and that of a page (`31 2`), for whole instances of a page (`2`). */
  async listPosts(target: LemmyTarget, after: string | null, session: PlatformSession): Promise<ViewPage> {
    const page = await filledPage(after, (from) => this.entryPage(target, from, session));
    return { views: page.items.map((item) => this.viewOf(item)), after: page.after };
  }

  private async entryPage(
    target: LemmyTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<{ items: readonly unknown[]; after: string | null; received: number }> {
    const { page, subject: known } = numberedPage(after);
    const subject = 'name' in target ? (known ?? String(await this.findSubject(target, session))) : null;
    const path =
      subject === null ? '/entries' : `/${target.kind === 'user' ? 'users' : 'magazine'}/${subject}/entries`;
    const params = { sort: 'newest', ...(target.kind === 'local' && { federation: 'local' }) };
    const { items, next } = await this.list(describeTarget(target), path, params, page, session);
    return {
      items,
      after: next === null ? null : cursorOf({ page: next, subject }),
      received: items.length,
    };
  }

  /** The number of a magazine or an account. Throws {@link PlatformError} for one whose entries are not read. */
  private async findSubject(
    { kind, name }: Extract<LemmyTarget, { name: string }>,
    session: PlatformSession,
  ): Promise<number> {
    const isUser = kind === 'user';
    const what = `the ${isUser ? 'account' : 'magazine'} "${name}"`;
    const path = isUser
      ? `/users/name/${encodeURIComponent(storable(name.includes('@') ? `@${name}` : name))}`
      : `/magazine/name/${encodeURIComponent(storable(name))}`;
    const found = await this.fetch(what, path, {}, session, asObject);
    if (found.isAdult === true)
      throw new PlatformError(
        'target_forbidden',
        `${this.client.site} marks ${what} as not safe for work and shows it only to its members`,
      );
    if (found.indexable === false && !this.ignoresNoindex)
      throw new PlatformError(
        'target_forbidden',
        `${what} on ${this.client.site} asks not to be indexed. The operator can ignore it with SOURCE_IGNORE_NOINDEX=true`,
      );
    const id = asId(isUser ? found.userId : found.magazineId);
    if (id === null)
      throw new PlatformError('bad_answer', `${this.client.site} sent ${what} without a number`);
    return id;
  }

  listsComments(): boolean {
    return false;
  }

  listNewComments(): Promise<ViewPage> {
    return Promise.resolve({ views: [], after: null });
  }

  async listComments(postId: string, session: PlatformSession): Promise<LemmyComment[] | null> {
    const comments = new Map<number, LemmyComment>();
    const branches: CutBranch[] = [];
    const add = (trees: readonly unknown[], above: readonly number[]): void => {
      const { views, cut } = viewsOfTrees(trees, above, (comment) => this.leavesOut(comment));
      for (const comment of readComments(views)) comments.set(comment.id, comment);
      branches.push(...cut);
    };
    for (let page: number | null = 1; page !== null && page <= MAX_PAGES;) {
      const what = `the comments of the post ${postId}`;
      const path = `/entry/${postId}/comments`;
      const params = { sortBy: 'oldest', ...DEPTH };
      const list: MbinList | null = await this.list(what, path, params, page, session, null);
      if (list === null) return null;
      add(list.items, []);
      page = list.next;
    }
    for (let requests = 0; branches.length > 0 && requests < MAX_BRANCHES; requests += 1) {
      const { id, above } = branches.shift()!;
      const tree = await this.comment(String(id), DEPTH, session);
      if (tree !== null && asArray(tree.children).length > 0) add([tree], above);
    }
    return [...comments.values()];
  }

  async getView(kind: 'post' | 'comment', id: string, session: PlatformSession): Promise<WireObject | null> {
    if (kind === 'comment') {
      const comment = await this.comment(id, { d: '0' }, session);
      return comment && viewOfOneComment(comment, this.leavesOut(comment));
    }
    const entry = await this.fetch(`the post ${id}`, `/entry/${id}`, {}, session, asObject, null);
    return this.viewOf(entry);
  }

  private comment(
    id: string,
    params: Record<string, string>,
    session: PlatformSession,
  ): Promise<WireObject | null> {
    return this.fetch(`the comment ${id}`, `/comments/${id}`, params, session, asObject, null);
  }

  private viewOf(entry: unknown): WireObject | null {
    const item = asObject(entry);
    return item && viewOfEntry(item, this.leavesOut(item));
  }

  /** Whether content is not stored, by the wish of its account and the operator's setting. */
  private leavesOut(item: WireObject): boolean {
    return !this.ignoresNoindex && isUnindexedOnMbin(item);
  }

  /** `missing` is the result of a first page that is not there, which is otherwise an error. Lists can shrink between pages. */
  private list<M = never>(
    what: string,
    path: string,
    params: Record<string, string>,
    page: number,
    session: PlatformSession,
    missing?: M,
  ): Promise<MbinList | M> {
    const paged = { ...params, perPage: String(PAGE_SIZE), p: String(page) };
    const read = (json: unknown): MbinList | null => {
      const { items, pagination } = asObject(json) ?? {};
      const last = asNumber(asObject(pagination)?.maxPage) ?? page;
      return Array.isArray(items) ? { items: asArray(items), next: page < last ? page + 1 : null } : null;
    };
    return this.fetch<MbinList, M | MbinList>(
      what,
      path,
      paged,
      session,
      read,
      page > 1 ? { items: [], next: null } : missing,
    );
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
        path: `/api${path}`,
        params,
        read,
        refused: (status) =>
          status === 404 && missing !== undefined ? { done: true, value: missing } : null,
      },
      session,
    );
  }
}
