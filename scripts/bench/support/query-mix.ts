/** One query of the mix; `path` is below the workspace. */
export interface MixedQuery {
  name: string;
  path: string;
}

/** Words of the seeded text, from the most to the least frequent. */
const WORDS = (
  'like one time get would people know good think make want even day need still first back well never long great find ' +
  'question problem school feel phone company battery money world update market software server computer price ' +
  'language music energy climate solar travel garden family doctor election robot telescope satellite'
).split(' ');

type Pick = (step: number) => string;

/** Queries by name, with words and forums that change from round to round. */
const MIX: Record<string, (word: Pick, n: number) => string> = {
  'posts newest': () => '/posts',
  'posts by score': () => '/posts?sort_by=score',
  'posts by comments': () => '/posts?sort_by=num_comments&sort_order=asc',
  'posts by sentiment': () => '/posts?sort_by=sentiment_score',
  'posts of a forum': (_, n) => `/posts?forum=forum${n % 40}`,
  'posts of a forum by score': (_, n) => `/posts?forum=forum${n % 40}&sort_by=score`,
  'posts of an author': (_, n) => `/posts?author=author${n * 7}`,
  'posts min_score': (_, n) => `/posts?min_score=${10 + (n % 9) * 50}`,
  'posts score range': (_, n) => `/posts?min_score=${n % 40}&max_score=${200 + (n % 40)}`,
  'posts sentiment': (_, n) => `/posts?sentiment=${['positive', 'negative', 'neutral'][n % 3]}`,
  'posts type': (_, n) => `/posts?post_type=${['self', 'link', 'image', 'video'][n % 4]}`,
  'posts flair': () => '/posts?flair=news',
  'posts nsfw': () => '/posts?is_nsfw=true',
  'posts keyword': (word) => `/posts?keyword=${word(5)}`,
  'posts of a month': (_, n) => `/posts?created_after=${month(n)}&created_before=${month(n + 1)}`,
  'posts of a year': (_, n) => `/posts?created_after=${month(n)}&created_before=${month(n + 12)}`,
  'posts word': (word) => `/posts?q=${word(0)}`,
  'posts word by score': (word) => `/posts?q=${word(3)}&sort_by=score`,
  'posts rare word': (word) => `/posts?q=${word(40)}`,
  'posts two words': (word) => `/posts?q=${word(0)}+${word(7)}`,
  'posts or': (word) => `/posts?q=${word(1)}+OR+${word(9)}`,
  'posts not': (word) => `/posts?q=${word(2)}+-${word(4)}`,
  'posts group': (word) => `/posts?q=(${word(1)}+OR+${word(6)})+${word(11)}`,
  'posts phrase': (word) => `/posts?q=%22${word(0)}+${word(2)}%22`,
  'posts prefix': (word) => `/posts?q=${word(8).slice(0, 4)}*`,
  'posts title': (word) => `/posts?q=title:${word(3)}`,
  'posts word and forum': (word, n) => `/posts?q=${word(4)}&forum=forum${n % 40}`,
  'posts word and author': (word, n) => `/posts?q=${word(4)}+author:author${n}`,
  'posts word and score': (word) => `/posts?q=${word(5)}&min_score=100`,
  'posts relevance': (word) => `/posts?q=${word(0)}&sort_by=relevance`,
  'posts relevance two words': (word) => `/posts?q=${word(1)}+${word(12)}&sort_by=relevance`,
  'posts highlight': (word) => `/posts?q=${word(6)}&highlight=true`,
  'comments newest': () => '/comments',
  'comments by score': () => '/comments?sort_by=score',
  'comments word': (word) => `/comments?q=${word(0)}`,
  'comments two words': (word) => `/comments?q=${word(3)}+${word(9)}`,
  'comments phrase': (word) => `/comments?q=%22${word(1)}+${word(4)}%22`,
  'comments relevance': (word) => `/comments?q=${word(2)}&sort_by=relevance`,
  'comments sentiment': (_, n) => `/comments?sentiment=${['positive', 'negative', 'neutral'][n % 3]}`,
  'comments min_score': (_, n) => `/comments?min_score=${10 + (n % 9) * 20}`,
  'comments of an author': (_, n) => `/comments?author=author${n * 7}`,
  'comments of a forum': (_, n) => `/comments?forum=forum${n % 40}`,
  'facets of posts': () => '/analytics/facets?by=forum,sentiment,post_type',
  'facets of a word': (word) => `/analytics/facets?by=forum,author&q=${word(2)}`,
  'facets of comments': (word) => `/analytics/facets?of=comments&by=sentiment&q=${word(5)}`,
  'keywords of a month': (_, n) =>
    `/analytics/keywords?created_after=${month(n)}&created_before=${month(n + 1)}`,
  'series of posts': () => '/analytics/timeseries?interval=week',
  'series of a word': (word) => `/analytics/timeseries?interval=day&q=${word(1)}`,
  'series of comments': (word) => `/analytics/timeseries?of=comments&interval=week&q=${word(3)}`,
};

/** The mix of one round; words, forums and periods differ from those of earlier rounds. */
export function queriesOf(round: number): MixedQuery[] {
  const word: Pick = (step) => WORDS[(round * 13 + step) % WORDS.length]!;
  return Object.entries(MIX).map(([name, pathOf]) => ({ name, path: pathOf(word, round) }));
}

/** The first day of the n-th month of the two seeded years. */
const month = (n: number): string => new Date(Date.UTC(2024, 10 + (n % 23), 1)).toISOString();
