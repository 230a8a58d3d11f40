import { COMMENTS, OUTAGE_DAY, POSTS, THREAD } from './seed.js';

/** What can be seen of a workspace after a task, read through the API. */
export interface State {
  alerts: {
    name: string;
    channel: string;
    channel_config: object;
    keywords: string[];
    query: string | null;
  }[];
  jobs: { target: string; limit: number | null; scrape_comments: boolean }[];
  searches: { name: string; q: string | null }[];
  webhooks: { url: string }[];
  keys: { name: string }[];
  /** Posts and comments are deleted by erasures. */
  erasures: number;
}

/** What a reader left. */
export interface Outcome {
  answer: string;
  /** Texts of the files in the reader's folder by name. */
  files: Record<string, string>;
  state: State;
  /** The key that the reader used. */
  key: string;
}

/** A task for a reader who knows nothing but the README, the documents and the tools. */
export interface Task {
  name: string;
  question: string;
  /** Whether the outcome is the one asked for. */
  isDone(outcome: Outcome): boolean;
}

/** The last line of an answer, without marks around it. */
function resultOf({ answer }: Outcome): string {
  const line = answer.trim().split('\n').at(-1) ?? '';
  return line.replaceAll(/^[\s*`"']+|[\s*`"'.]+$/g, '');
}

const asks = (name: string, question: string, expected: string | number): Task => ({
  name,
  question,
  isDone: (outcome) => {
    const result = resultOf(outcome);
    return typeof expected === 'number'
      ? /^\d[\d,]*$/.test(result) && Number(result.replaceAll(',', '')) === expected
      : result.toLowerCase() === expected.toLowerCase();
  },
});
const counted = (name: string, question: string, isMeant: (post: (typeof POSTS)[number]) => boolean): Task =>
  asks(name, `How many ${question}?`, POSTS.filter(isMeant).length);

/** The only most frequent value. */
function mostOf(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  if (first![1] === second![1]) throw new Error(`${first![0]} is as frequent as ${second![0]}`);
  return first![0];
}
const inForum = (forum: string) => POSTS.filter((post) => post.forum === forum);
const byScore = (posts: readonly (typeof POSTS)[number][]) => [...posts].sort((a, b) => b.score - a.score);
const says = (post: (typeof POSTS)[number], word: string): boolean =>
  `${post.title} ${post.selftext}`.toLowerCase().includes(word);

/** The rows of the file that a task asks for. */
export const TOP_ROWS = byScore(inForum('cooking'))
  .slice(0, 5)
  .map(({ id, score }) => `${id},${score}`);

export const TASKS: readonly Task[] = [
  counted('all-posts', 'posts are stored', () => true),
  counted(
    'phrase',
    'posts in the forum gardening contain the phrase "drip irrigation"',
    (post) => post.forum === 'gardening' && says(post, 'drip irrigation'),
  ),
  counted(
    'negative',
    'posts in the forum astronomy are negative',
    (post) => post.forum === 'astronomy' && post.sentimentLabel === 'negative',
  ),
  counted('score', 'posts have a score of 1200 or more', ({ score }) => score >= 1_200),
  counted('month', 'posts were published in February 2026 (UTC)', ({ createdUtc }) =>
    createdUtc.toISOString().startsWith('2026-02'),
  ),
  counted('german', 'posts are in German', ({ language }) => language === 'de'),
  counted(
    'either-not',
    'posts mention a kettle or a teapot, but do not contain the word "broken"',
    (post) => (says(post, 'kettle') || says(post, 'teapot')) && !says(post, 'broken'),
  ),
  counted(
    'author',
    'posts has the author mira published in the forum cooking',
    (post) => post.author === 'mira' && post.forum === 'cooking',
  ),
  asks(
    'busiest-author',
    'Which author has published the most posts in the forum cycling?',
    mostOf(inForum('cycling').map(({ author }) => author)),
  ),
  asks(
    'outage-day',
    'On which day (UTC, as YYYY-MM-DD) was unusually much posted about an outage?',
    OUTAGE_DAY,
  ),
  asks(
    'highest',
    'Which post in the forum gardening has the highest score? Answer with its id.',
    byScore(inForum('gardening'))[0]!.id,
  ),
  asks(
    'oldest',
    'Which post in the forum astronomy is the oldest? Answer with its id.',
    inForum('astronomy')[0]!.id,
  ),
  asks(
    'keyword',
    'Which keyword is the most frequent in posts of the forum astronomy, besides "astronomy"?',
    mostOf(
      inForum('astronomy')
        .flatMap(({ keywords }) => keywords)
        .filter((word) => word !== 'astronomy'),
    ),
  ),
  asks(
    'direct-answers',
    `How many comments answer the post ${THREAD.id} itself, not another comment?`,
    COMMENTS.filter(({ depth }) => depth === 0).length,
  ),
  asks(
    'busiest-commenter',
    `Who has written the most comments on the post ${THREAD.id}?`,
    mostOf(COMMENTS.map(({ author }) => author)),
  ),
  asks(
    'document-token',
    'How many minutes does the access token of an assistant that was connected by consent work at most?',
    60,
  ),
  asks(
    'document-variable',
    'By which environment variable does an operator let webhooks reach a private range of addresses?',
    'OUTBOUND_ALLOWED_CIDRS',
  ),
  {
    name: 'create-alert',
    question:
      'Create an alert with the name Irrigation on the keyword "drip irrigation", by e-mail to ops@example.org. The result is the id of the alert.',
    isDone: ({ state }) =>
      state.alerts.some(
        ({ name, channel, channel_config: config, keywords }) =>
          name === 'Irrigation' &&
          channel === 'email' &&
          JSON.stringify(config).includes('ops@example.org') &&
          keywords.join().toLowerCase() === 'drip irrigation',
      ),
  },
  {
    name: 'save-search',
    question:
      'Save a search with the name Roses for the query: pruning roses. The result is the id of the search.',
    isDone: ({ state }) => state.searches.some(({ name, q }) => name === 'Roses' && q === 'pruning roses'),
  },
  {
    name: 'file',
    question:
      'Write the file top.csv: the header "id,score", and a line for each of the five posts in the forum cooking with the highest scores, highest first. The result is its number of lines.',
    isDone: ({ files }) =>
      (files['top.csv'] ?? '').trim().split(/\r?\n/).join('\n') === ['id,score', ...TOP_ROWS].join('\n'),
  },
];
