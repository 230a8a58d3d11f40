import { Conversations, type Opening, type Reply } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { slugOf } from '../text/text.js';
import { htmlOf } from '../text/html.js';

/** Distance between the ids of the first posts of topics; the ids of their replies lie in between. */
const STRIDE = 5_000;
const TOPICS_PER_PAGE = 30;
/** Posts that a topic is sent with. */
const FIRST_POSTS = 20;
const CATEGORY = { id: 1, slug: 'general', name: 'General', parent_category_id: null };

/** A synthetic Discourse forum with one category. Maps a path below the forum's base to a response. */
export class DiscourseRoutes {
  private readonly topics: Conversations;

  constructor(data: DataSet) {
    this.topics = new Conversations(data, 'programming');
  }

  answer(path: string, params: URLSearchParams): Answer {
    if (path === '/site/basic-info.json')
      return json(200, { title: 'Synthetic forum', login_required: false });
    if (path === '/site.json')
      return json(200, { categories: [{ ...CATEGORY, topic_count: this.topics.count }] });
    if (path === '/latest.json' || path === '/top.json' || path === '/c/general/1/l/latest.json')
      return this.list(path, Number(params.get('page') ?? 0));
    const [, topic, rest] = /^\/t\/(\d+)(\/posts)?\.json$/.exec(path) ?? [];
    const [, post] = /^\/posts\/(\d+)\.json$/.exec(path) ?? [];
    if (topic !== undefined) return this.topic(Number(topic), rest === undefined ? null : params);
    return post === undefined ? notFound() : this.post(Number(post));
  }

  private list(path: string, page: number): Answer {
    if (!Number.isInteger(page) || page < 0)
      return json(400, { errors: ['page'], error_type: 'invalid_parameters' });
    const topics = this.topics.page(null, (page + 1) * TOPICS_PER_PAGE).slice(page * TOPICS_PER_PAGE);
    const isFull = topics.length === TOPICS_PER_PAGE;
    return json(200, {
      users: [],
      topic_list: {
        topics: topics.map(summaryOf),
        ...(isFull && { more_topics_url: `${path.replace('.json', '')}?page=${page + 1}` }),
      },
    });
  }

  /** A topic with its first posts, or those of its posts that `params` names by their ids. */
  private topic(id: number, params: URLSearchParams | null): Answer {
    const topic = this.topics.find(id - 1);
    if (topic === null) return notFound();
    const posts = this.postsOf(topic);
    if (params === null)
      return json(200, {
        ...summaryOf(topic),
        post_stream: { posts: posts.slice(0, FIRST_POSTS), stream: posts.map((post) => post.id) },
      });
    const asked = new Set(params.getAll('post_ids[]').map(Number));
    return json(200, { id, post_stream: { posts: posts.filter((post) => asked.has(post.id)) } });
  }

  private post(id: number): Answer {
    const topic = this.topics.find(Math.floor(id / STRIDE) - 1);
    const post = topic && this.postsOf(topic).find((one) => one.id === id);
    return post ? json(200, post) : notFound();
  }

  private postsOf(topic: Opening) {
    const replies = this.topics.replies(topic.index).slice(0, STRIDE - 1);
    return [topic, ...replies].map((statement, at) => ({
      id: (topic.index + 1) * STRIDE + at,
      topic_id: topic.index + 1,
      post_number: at + 1,
      post_type: 1,
      username: statement.author,
      created_at: statement.createdAt.toISOString(),
      cooked: htmlOf(statement.text),
      reply_to_post_number: parentNumber(statement),
      actions_summary: statement.likes > 0 ? [{ id: 2, count: statement.likes }] : [],
    }));
  }
}

const notFound = (): Answer =>
  json(404, {
    errors: ['The requested URL or resource could not be found.'],
    error_type: 'not_found',
  });

/** The number of the post that a reply answers; null for a reply to the topic. */
function parentNumber(statement: Opening | Reply): number | null {
  return 'parent' in statement && statement.parent >= 0 ? statement.parent + 2 : null;
}

function summaryOf(topic: Opening): object {
  return {
    id: topic.index + 1,
    title: topic.title,
    slug: slugOf(topic.title).replaceAll('_', '-'),
    category_id: CATEGORY.id,
    tags: [],
    created_at: topic.createdAt.toISOString(),
    posts_count: topic.replies + 1,
    like_count: topic.likes,
  };
}
