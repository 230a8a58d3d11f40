import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { HackerNewsItems, type Story, type StoryComment } from './synthetic-items.js';

/** Maximum number of hits that a query returns, over all pages. */
const MAX_HITS = 1_000;
const FILTER = /^created_at_i(<=|>=|<|>)(\d+)$/;

/** The synthetic Hacker News, with the responses of its Algolia API. Maps a path below the API's base to a response. */
export class HackerNewsRoutes {
  private readonly items: HackerNewsItems;

  constructor(data: DataSet) {
    this.items = new HackerNewsItems(data);
  }

  answer(path: string, params: URLSearchParams): Answer {
    const [, route, name = ''] = /^\/(search_by_date|items|users)\/?([\w-]*)$/.exec(path) ?? [];
    if (route === 'search_by_date') return this.search(params);
    if (route === 'items') {
      const node = this.items.node(Number(name));
      return node === null ? notFound() : json(200, node);
    }
    return route === 'users' ? this.user(name) : notFound();
  }

  private search(params: URLSearchParams): Answer {
    const filters = (params.get('numericFilters') ?? '').split(',').filter(Boolean);
    const bounds = filters.map((filter) => FILTER.exec(filter));
    if (bounds.includes(null))
      return json(400, { code: 400, message: `invalid numericFilters: ${filters.join(',')}` });
    const tags = params.get('tags') ?? '';
    const size = Math.min(MAX_HITS, Math.max(1, Number(params.get('hitsPerPage') ?? 20)));
    const page = Number(params.get('page') ?? 0);
    const hits: object[] = [];
    let found = 0;
    for (const item of /\bcomment\b/.test(tags) ? this.items.newestWithComments() : this.items.newest()) {
      if (!bounds.every((bound) => isWithin(item.createdAt, bound!)) || !hasTags(item, tags)) continue;
      if (found >= page * size && hits.length < size && found < MAX_HITS)
        hits.push('above' in item ? hitOfComment(item) : hitOf(item));
      found += 1;
    }
    return json(200, {
      hits,
      nbHits: found,
      nbPages: Math.ceil(Math.min(found, MAX_HITS) / size),
      page,
      hitsPerPage: size,
      exhaustive: { nbHits: true, typo: true },
    });
  }

  private user(name: string): Answer {
    for (const { author } of this.items.newest())
      if (author === name) return json(200, { username: name, about: '', karma: 1 });
    return notFound();
  }
}

const notFound = (): Answer => json(404, { status: 404, error: 'Not Found' });

function isWithin(value: number, [, operator, limit]: RegExpExecArray): boolean {
  const bound = Number(limit);
  if (operator === '<=') return value <= bound;
  if (operator === '>=') return value >= bound;
  return operator === '<' ? value < bound : value > bound;
}

/** A comma requires all tags; parentheses require one of theirs. */
function hasTags(item: Pick<Story, 'tags'>, tags: string): boolean {
  return (tags.match(/\([^()]*\)|[^,()]+/g) ?? []).every((part) =>
    part
      .replace(/[()]/g, '')
      .split(',')
      .some((tag) => item.tags.includes(tag.trim())),
  );
}

function hitOfComment({ node, above, tags }: StoryComment): object {
  return {
    objectID: String(node.id),
    story_id: above.id,
    story_title: above.title,
    parent_id: node.parent_id,
    author: node.author,
    comment_text: node.text,
    created_at: node.created_at,
    created_at_i: node.created_at_i,
    _tags: tags,
  };
}

/** Omits keys without a value. */
function hitOf(story: Story): object {
  return {
    objectID: String(story.id),
    story_id: story.id,
    author: story.author,
    title: story.title,
    points: story.points,
    created_at: `${new Date(story.createdAt * 1_000).toISOString().slice(0, 19)}Z`,
    created_at_i: story.createdAt,
    _tags: story.tags,
    ...(story.url !== null && { url: story.url }),
    ...(story.text !== null && { story_text: story.text }),
    ...(!story.tags.includes('job') && { num_comments: story.comments }),
  };
}
