import { Conversations, type Opening } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { htmlOf } from '../text/html.js';
import { slugOf } from '../text/text.js';
import { escapeEntities } from '../wire/things.js';

/** Distance between the numbers of the first posts of topics; the numbers of their replies lie in between. */
const STRIDE = 5_000;
const PER_PAGE = 20;
/** Topics that are listed as recent. */
const MAX_RECENT = 200;
const CATEGORY = 1;

/** A synthetic NodeBB forum with one category. Maps a path below the forum's base to a response. */
export class NodebbRoutes {
  private readonly topics: Conversations;

  constructor(data: DataSet) {
    this.topics = new Conversations(data, 'programming');
  }

  answer(path: string, params: URLSearchParams): Answer {
    const page = Number(params.get('page') ?? 1);
    if (path === '/api/config') return json(200, { relative_path: '', siteTitle: 'Synthetic forum' });
    if (path === '/api/recent') return this.list(page, MAX_RECENT);
    if (path === `/api/category/${CATEGORY}`) return this.list(page, Infinity);
    const [, topic] = /^\/api\/topic\/(\d+)$/.exec(path) ?? [];
    const found = topic === undefined ? null : this.topics.find(Number(topic) - 1);
    if (found !== null) return this.topic(found, page);
    const [, post] = /^\/api\/v3\/posts\/(\d+)$/.exec(path) ?? [];
    const opening = post === undefined ? null : this.topics.find(Math.floor(Number(post) / STRIDE) - 1);
    const response = opening && this.postsOf(opening).find(({ pid }) => pid === Number(post));
    if (response) return json(200, { status: { code: 'ok' }, response });
    return json(404, { status: { code: 'not-found' }, response: {} });
  }

  private list(page: number, most: number): Answer {
    const all = this.topics.page(null, Math.min(most, this.topics.count));
    const topics = all.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(summaryOf);
    return json(200, { topics, topicCount: all.length, ...paginationOf(page, all.length) });
  }

  private topic(topic: Opening, page: number): Answer {
    const posts = this.postsOf(topic);
    return json(200, {
      ...summaryOf(topic),
      posts: posts.slice((page - 1) * PER_PAGE, page * PER_PAGE),
      ...paginationOf(page, posts.length),
    });
  }

  private postsOf(topic: Opening) {
    const first = (topic.index + 1) * STRIDE;
    return [topic, ...this.topics.replies(topic.index).slice(0, STRIDE - 1)].map((statement, at) => ({
      pid: first + at,
      tid: topic.index + 1,
      uid: 1,
      content: htmlOf(statement.text),
      timestamp: statement.createdAt.getTime(),
      votes: statement.likes,
      deleted: 0,
      user: userOf(statement.author),
      ...('parent' in statement && statement.parent >= 0 && { toPid: String(first + statement.parent + 1) }),
    }));
  }
}

const userOf = (name: string): object => ({ username: escapeEntities(name), userslug: slugOf(name) });

function summaryOf(topic: Opening): object {
  return {
    tid: topic.index + 1,
    cid: CATEGORY,
    uid: 1,
    title: escapeEntities(topic.title),
    slug: `${topic.index + 1}/${slugOf(topic.title)}`,
    mainPid: (topic.index + 1) * STRIDE,
    postcount: topic.replies + 1,
    deleted: 0,
    timestamp: topic.createdAt.getTime(),
    upvotes: topic.likes,
    downvotes: 0,
    tags: [],
    user: userOf(topic.author),
  };
}

function paginationOf(page: number, items: number): object {
  return { pagination: { currentPage: page, pageCount: Math.max(1, Math.ceil(items / PER_PAGE)) } };
}
