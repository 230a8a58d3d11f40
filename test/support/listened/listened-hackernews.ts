import { type ListenedSource, shown, type Written } from './listened-source.js';

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

function hitOf({ number, text, at, above }: Written): object {
  const story = above ?? number;
  return {
    objectID: String(number),
    created_at_i: seconds(at),
    author: 'writer',
    story_id: story,
    _tags: [above === null ? 'story' : 'comment', 'author_writer', `story_${story}`],
    ...(above === null ? { title: text } : { comment_text: text, parent_id: above }),
  };
}

function isWanted(one: Written, tags: string, filters: readonly string[]): boolean {
  const ids = [...tags.matchAll(/story_(\d+)/g)].map(([, id]) => Number(id));
  return (
    (one.above === null ? tags.includes('(story') : tags.includes('comment')) &&
    (ids.length === 0 || ids.includes(one.number)) &&
    filters.every((filter) => {
      const [, operator, limit] = /^created_at_i(<=|>=)(\d+)$/.exec(filter)!;
      return operator === '<=' ? seconds(one.at) <= Number(limit) : seconds(one.at) >= Number(limit);
    })
  );
}

/** Hacker News, by its search. */
export const LISTENED_HACKERNEWS: ListenedSource = {
  listen: 'hackernews',
  hasComments: true,
  showsDeletions: true,
  idOf: ({ number }) => `hn_${number}`,
  answer: (path, params, texts) => {
    const [, item] = /^\/hackernews\/items\/(\d+)$/.exec(path) ?? [];
    if (item !== undefined) {
      const found = shown(texts).find(({ number }) => number === Number(item));
      if (found === undefined) return null;
      const { number: id, text, at, above } = found;
      const story_id = above ?? id;
      return {
        id,
        author: 'writer',
        text,
        created_at_i: seconds(at),
        parent_id: above,
        story_id,
        children: [],
      };
    }
    if (path !== '/hackernews/search_by_date') return null;
    const filters = (params.get('numericFilters') ?? '').split(',').filter(Boolean);
    const found = shown(texts).filter((one) => isWanted(one, params.get('tags')!, filters));
    const hits = found.slice(0, Number(params.get('hitsPerPage')));
    return { hits: hits.map(hitOf), nbHits: found.length, exhaustive: { nbHits: true } };
  },
};
