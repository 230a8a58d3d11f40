import { type ListenedSource, shown, type Written } from './listened-source.js';

const statusOf = ({ number, text, at }: Written): object => ({
  id: String(number),
  created_at: at.toISOString(),
  content: `<p>${text}</p>`,
  account: { acct: 'writer' },
});

/** The local timeline of a Mastodon instance. */
export const LISTENED_MASTODON: ListenedSource = {
  listen: 'mastodon:social.example',
  hasComments: false,
  showsDeletions: true,
  site: 'social.example',
  idOf: ({ number }) => `md_social.example_${number}`,
  answer: (path, params, texts) => {
    const [, one] = /^\/api\/v1\/statuses\/(\d+)$/.exec(path) ?? [];
    const found = shown(texts).find(({ number }) => number === Number(one));
    if (found !== undefined) return statusOf(found);
    if (path === '/api/v2/instance') return { version: '4.5.0', domain: 'social.example' };
    if (path === '/api/v1/statuses')
      return shown(texts)
        .filter(({ number }) => params.getAll('id[]').includes(String(number)))
        .map(statusOf);
    const before = Number(params.get('max_id') ?? Infinity);
    const limit = Number(params.get('limit'));
    return path === '/api/v1/timelines/public'
      ? shown(texts)
          .filter(({ number }) => number < before)
          .slice(0, limit)
          .map(statusOf)
      : null;
  },
};
