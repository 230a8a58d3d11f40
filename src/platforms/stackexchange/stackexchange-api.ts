import { readInChunks } from '../../common/collections.js';
import { JsonClient } from '../http/json-client.js';
import { asObject, asObjects, asText, storableText, type WireObject } from '../http/response-parsing.js';
import { filledPage } from '../filled-page.js';
import { faulty, readAs } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import type { StackExchangeTarget } from './stackexchange-target.js';

const PAGE_SIZE = 100;
/** Without a key, later pages are refused. */
const MAX_PAGE = 25;
/** Ids that a request may name. */
const IDS_PER_REQUEST = 100;
/** Pages of a question's answers and comments that are read. */
const MAX_PART_PAGES = 20;

/** The fields that are read: whole threads in a listing of questions. */
const FIELDS = [
  '.items;.has_more;.backoff;.quota_max;.quota_remaining;.error_id;.error_name;.error_message',
  'question.question_id;question.title;question.body;question.tags;question.link;question.score',
  'question.creation_date;question.last_activity_date;question.owner;question.answer_count',
  'question.answers;question.comment_count;question.comments',
  'answer.answer_id;answer.question_id;answer.body;answer.score;answer.creation_date;answer.owner',
  'answer.comment_count;answer.comments',
  'comment.comment_id;comment.post_id;comment.body;comment.score;comment.creation_date;comment.owner',
  'shallow_user.user_id;shallow_user.display_name;shallow_user.user_type',
].join(';');

/** Items of a page, and where the next one begins; null at the end. */
export interface ItemPage {
  items: WireObject[];
  /** Number of its items. */
  received: number;
  after: string | null;
}

/** The methods of the API that are used. */
export class StackExchangeApi {
  private filter: Promise<string> | null = null;

  constructor(
    private readonly client: JsonClient,
    private readonly key: string | undefined,
  ) {}

  /** A page of a target's questions, latest activity first. Throws for a site, tag or account that does not exist. */
  readQuestions(
    target: StackExchangeTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<ItemPage> {
    return filledPage(after, (from) => this.readPage(target, from, session));
  }

  private async readPage(
    target: StackExchangeTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<ItemPage> {
    const { site, kind, name } = target;
    const [page = '1', until = ''] = after?.split(' ') ?? [];
    const path = kind === 'user' ? `/users/${name}/questions` : '/questions';
    const params = {
      site,
      sort: 'activity',
      order: 'desc',
      page,
      ...(until !== '' && { max: until }),
      ...(kind === 'tag' && { tagged: name }),
    };
    const { items, hasMore } = await this.read(describe(target), path, params, session);
    if (items.length === 0 && after === null) await this.requireTarget(target, session);
    if (!hasMore) return { items, received: items.length, after: null };
    if (Number(page) < MAX_PAGE)
      return { items, received: items.length, after: `${Number(page) + 1} ${until}` };
    if (items.length === 0) return { items, received: 0, after: null };
    // The next page begins at the activity of the last question.
    return { items, received: items.length, after: `1 ${String(items.at(-1)!.last_activity_date)}` };
  }

  /** Items of a kind by their numbers; those that are not there are left out. */
  readItems(
    kind: 'questions' | 'answers' | 'comments',
    site: string,
    numbers: readonly string[],
    session: PlatformSession,
  ): Promise<WireObject[]> {
    return readInChunks(numbers, IDS_PER_REQUEST, async (some) => {
      const what = `${some.length} ${kind} on ${site}`;
      return (await this.read(what, `/${kind}/${some.join(';')}`, { site }, session)).items;
    });
  }

  /** All answers to a question, of which a listing holds only the first. */
  readAnswers(site: string, number: string, session: PlatformSession): Promise<WireObject[]> {
    const what = `the answers to question ${number} on ${site}`;
    return this.readAll(what, `/questions/${number}/answers`, site, session);
  }

  /** All comments on questions and answers, of which a listing holds only the first. */
  readComments(site: string, numbers: readonly string[], session: PlatformSession): Promise<WireObject[]> {
    return readInChunks(numbers, IDS_PER_REQUEST, (some) => {
      const ids = some.join(';');
      return this.readAll(`comments on ${ids} on ${site}`, `/posts/${ids}/comments`, site, session);
    });
  }

  private async readAll(
    what: string,
    path: string,
    site: string,
    session: PlatformSession,
  ): Promise<WireObject[]> {
    const found: WireObject[] = [];
    for (let page = 1; page <= MAX_PART_PAGES; page += 1) {
      const params = { site, sort: 'creation', order: 'asc', page: String(page) };
      const { items, hasMore } = await this.read(what, path, params, session);
      found.push(...items);
      if (!hasMore) break;
    }
    return found;
  }

  /** Throws {@link PlatformError} unless the tag or account exists. */
  private async requireTarget(target: StackExchangeTarget, session: PlatformSession): Promise<void> {
    const { site, kind, name } = target;
    const path = kind === 'user' ? `/users/${name}` : `/tags/${encodeURIComponent(name)}/info`;
    const items = await this.fetch(describe(target), path, { site }, session, itemsOf);
    if (items.length === 0) throw new PlatformError('target_not_found', `There is no ${describe(target)}`);
  }

  private async read(
    what: string,
    path: string,
    params: Record<string, string>,
    session: PlatformSession,
  ): Promise<{ items: WireObject[]; hasMore: boolean }> {
    const all = { ...params, pagesize: String(PAGE_SIZE), filter: await this.filterOf(session) };
    return this.fetch(what, path, all, session, (body) => {
      const items = itemsOf(body);
      return items && { items, hasMore: body.has_more === true };
    });
  }

  /** The id of the filter that selects {@link FIELDS}. It never changes, so a process asks for it once. */
  private filterOf(session: PlatformSession): Promise<string> {
    this.filter ??= this.fetch(
      'a filter of fields',
      '/filters/create',
      { include: FIELDS, base: 'none', unsafe: 'false' },
      // Outlives the job that needs it first.
      { ...session, signal: AbortSignal.timeout(10 * 60_000) },
      (body) => asText(itemsOf(body)?.[0]?.filter),
    ).catch((error: unknown) => {
      this.filter = null;
      throw error;
    });
    return this.filter;
  }

  private fetch<T>(
    what: string,
    path: string,
    params: Record<string, string>,
    session: PlatformSession,
    read: (body: WireObject) => T | null,
  ): Promise<T> {
    return this.client.fetch<T>(
      {
        what,
        path,
        params: { ...params, ...(this.key !== undefined && { key: this.key }) },
        isUrgent: true,
        read: (json) => readAs(read(asObject(json) ?? {})),
        refused: (status, body) => {
          const said = storableText(body?.error_message, 200);
          if (/^no site found/i.test(said))
            throw new PlatformError('target_not_found', `Stack Exchange has no site "${params.site}"`);
          if (/^(?:temporarily_unavailable|internal_error)$/.test(asText(body?.error_name) ?? ''))
            return faulty('server', said);
          if (/\bkey\b/i.test(said) && this.key !== undefined)
            throw new PlatformError(
              'credentials_refused',
              `Stack Exchange refused STACKEXCHANGE_KEY: ${said}`,
            );
          throw new PlatformError(
            'bad_answer',
            `Stack Exchange refused the request for ${what} with status ${status} (it says: ${said})`,
          );
        },
      },
      session,
    );
  }
}

function itemsOf({ items }: WireObject): WireObject[] | null {
  return Array.isArray(items) ? asObjects(items) : null;
}

const describe = ({ site, kind, name }: StackExchangeTarget): string =>
  kind === 'user' ? `the account ${name} on ${site}` : `the tag "${name}" on ${site}`;
