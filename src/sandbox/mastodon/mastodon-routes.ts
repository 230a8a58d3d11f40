import { Conversations, type Opening, type Statement } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json, type RequestFacts } from '../server/answer.js';
import { htmlOf } from '../text/html.js';
import { accountNumber, numberAt, placeOf } from '../wire/numbered.js';

const MAX_PAGE = 40;
/** The tag of every status that is no reply. */
const TAG = 'synthetic';
const VERSION = '4.3.0';

/** A synthetic Mastodon instance. Maps a path below the instance's base to a response. */
export class MastodonRoutes {
  private readonly statuses: Conversations;

  constructor(data: DataSet) {
    this.statuses = new Conversations(data, 'askanything');
  }

  answer(path: string, params: URLSearchParams, { base }: RequestFacts): Answer {
    const timeline = this.timeline(path);
    if (timeline !== null) return page(timeline, params, `${base}${path}`);
    if (path === '/api/v1/instance') return json(200, { uri: 'forum.example', version: VERSION });
    if (path === '/api/v2/instance') return json(200, { domain: 'forum.example', version: VERSION });
    if (path === '/api/v1/accounts/lookup') {
      const name = params.get('acct') ?? '';
      return this.by(name).length === 0 ? missing() : json(200, accountOf(name));
    }
    if (path === '/api/v1/statuses')
      return json(
        200,
        params.getAll('id[]').flatMap((id) => this.status(Number(id)) ?? []),
      );
    const [, id, context] = /^\/api\/v1\/statuses\/(\d+)(\/context)?$/.exec(path) ?? [];
    const found = id === undefined ? null : context ? this.context(Number(id)) : this.status(Number(id));
    return found === null ? missing() : json(200, found);
  }

  /** The statuses of a timeline, newest first; null for another path. */
  private timeline(path: string): Opening[] | null {
    if (path === '/api/v1/timelines/public' || path === `/api/v1/timelines/tag/${TAG}`)
      return this.statuses.all();
    if (path.startsWith('/api/v1/timelines/tag/')) return [];
    const [, account] = /^\/api\/v1\/accounts\/(\d+)\/statuses$/.exec(path) ?? [];
    if (account === undefined) return null;
    return this.statuses.all().filter(({ author }) => accountNumber(author) === Number(account));
  }

  private by(name: string): Opening[] {
    return this.statuses.all().filter(({ author }) => author === name);
  }

  private status(number: number): object | null {
    const { index, comment } = placeOf(number);
    const opening = this.statuses.find(index);
    if (opening === null) return null;
    return comment === null ? statusOf(opening) : (this.replies(opening)[comment] ?? null);
  }

  /** What lies below a status. */
  private context(number: number): object | null {
    const { index, comment } = placeOf(number);
    const opening = this.statuses.find(index);
    if (opening === null) return null;
    const parents = this.statuses.replies(index).map(({ parent }) => parent);
    const isBelow = (at: number): boolean => {
      for (let above = parents[at]!; above >= 0; above = parents[above]!) if (above === comment) return true;
      return comment === null;
    };
    return { ancestors: [], descendants: this.replies(opening).filter((_, at) => isBelow(at)) };
  }

  private replies(opening: Opening): object[] {
    const { index } = opening;
    const replies = this.statuses.replies(index);
    return replies.map((reply, at) => ({
      ...shown(reply, numberAt(index, at)),
      in_reply_to_id: String(reply.parent < 0 ? numberAt(index) : numberAt(index, reply.parent)),
      in_reply_to_account_id: String(accountNumber((replies[reply.parent] ?? opening).author)),
      replies_count: replies.filter(({ parent }) => parent === at).length,
      tags: [],
    }));
  }
}

const missing = (): Answer => json(404, { error: 'Record not found' });

/** A page of a timeline, with the address of the next one as long as it is full. */
function page(all: readonly Opening[], params: URLSearchParams, address: string): Answer {
  const size = Math.min(MAX_PAGE, Number(params.get('limit') ?? 20));
  const before = params.get('max_id');
  const rest = before === null ? all : all.filter(({ index }) => numberAt(index) < Number(before));
  const shownNow = rest.slice(0, size);
  const last = shownNow.at(-1);
  const next = new URLSearchParams(params);
  if (last !== undefined) next.set('max_id', String(numberAt(last.index)));
  const link = { link: `<${address}?${next.toString()}>; rel="next"` };
  return json(
    200,
    shownNow.map((opening) => statusOf(opening)),
    shownNow.length === size ? link : {},
  );
}

const accountOf = (name: string): object => ({
  id: String(accountNumber(name)),
  username: name,
  acct: name,
  indexable: true,
});

const shown = (statement: Statement, number: number): object => ({
  id: String(number),
  created_at: statement.createdAt.toISOString(),
  account: accountOf(statement.author),
  content: htmlOf(statement.text),
  language: 'en',
  sensitive: false,
  spoiler_text: '',
  reblog: null,
  favourites_count: statement.likes,
  media_attachments: [],
});

const statusOf = (opening: Opening): object => ({
  ...shown(opening, numberAt(opening.index)),
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  replies_count: opening.replies,
  tags: [{ name: TAG }],
});
