import { type ListenedSource, shown } from './listened-source.js';

/** New issues of GitHub, by its search. It shows no pull requests. */
export const LISTENED_GITHUB: ListenedSource = {
  listen: 'github',
  hasComments: false,
  showsDeletions: false,
  idOf: ({ number }) => `gh_birds_herons_${number}`,
  answer: (path, params, texts) => {
    if (path !== '/github/search/issues') return null;
    const [, kind, since] = /^is:public is:(issue|pr) created:>=(\S+)$/.exec(params.get('q')!)!;
    const found = shown(texts).filter(({ at }) => kind === 'issue' && at >= new Date(since!));
    const items = found.slice(0, Number(params.get('per_page'))).map(({ number, text, at }) => ({
      ...{ number, title: text, created_at: at.toISOString(), user: { login: 'writer' } },
      repository_url: 'https://api.github.com/repos/birds/herons',
    }));
    return { total_count: found.length, items };
  },
};
