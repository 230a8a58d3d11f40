import { type ListenedSource, shown, type Written } from './listened-source.js';

const PAGE = 50;

function viewOf({ number: id, text, at, above }: Written): object {
  const published = at.toISOString();
  return {
    creator: { name: 'writer', local: true },
    community: { name: 'birds', local: true },
    counts: {},
    post: above === null ? { id, name: text, published } : { id: above, published },
    ...(above !== null && { comment: { id, content: text, path: `0.${id}`, published } }),
  };
}

/** All posts and comments of a Lemmy instance; they are numbered independently. */
export const LISTENED_LEMMY: ListenedSource = {
  listen: 'lemmy:lemmy.example',
  hasComments: true,
  numbersApart: true,
  showsDeletions: false,
  site: 'lemmy.example',
  idOf: ({ number }) => `lm_lemmy.example_${number}`,
  answer: (path, params, texts) => {
    const kind = /^\/api\/v3\/(post|comment)\b/.exec(path)?.[1];
    if (path === '/api/v3/site') return { version: '0.19.5', site_view: {} };
    if (kind === undefined) return null;
    const all = shown(texts).filter(({ above }) => (above === null) === (kind === 'post'));
    const one = all.find(({ number }) => number === Number(params.get('id')));
    if (!path.endsWith('/list')) return one === undefined ? null : { [`${kind}_view`]: viewOf(one) };
    const from = (Number(params.get('page') ?? 1) - 1) * PAGE;
    return { [`${kind}s`]: all.slice(from, from + PAGE).map(viewOf) };
  },
};
