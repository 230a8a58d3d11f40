/** A question as a person asks it, the call of a tool that answers it, and the address of the API with the answer. */
export interface ScriptedQuestion {
  question: string;
  tool: string;
  input: Record<string, unknown>;
  path: string;
}

const ask = (
  question: string,
  tool: string,
  input: Record<string, unknown>,
  path: string,
): ScriptedQuestion => ({ question, tool, input, path });

/** Questions that an assistant is asked about a workspace with posts, comments, an alert and a job. */
export const scriptedQuestions = (ids: { post: string; job: string; alert: string }): ScriptedQuestion[] => [
  ask(
    'what is said about batteries in programming',
    'search_posts',
    { q: 'batteries', forum: 'programming' },
    '/posts?q=batteries&forum=programming&limit=10',
  ),
  ask('which posts score highest', 'search_posts', { sort_by: 'score' }, '/posts?sort_by=score&limit=10'),
  ask(
    'which posts score lowest',
    'search_posts',
    { sort_by: 'score', sort_order: 'asc', limit: 3 },
    '/posts?sort_by=score&sort_order=asc&limit=3',
  ),
  ask('what does author3 write', 'search_posts', { author: 'author3' }, '/posts?author=author3&limit=10'),
  ask(
    'which posts are negative',
    'search_posts',
    { sentiment: 'negative' },
    '/posts?sentiment=negative&limit=10',
  ),
  ask('which links were posted', 'search_posts', { post_type: 'link' }, '/posts?post_type=link&limit=10'),
  ask(
    'what was posted in the first minutes',
    'search_posts',
    { created_before: '2026-01-01T00:05:00Z' },
    '/posts?created_before=2026-01-01T00:05:00Z&limit=10',
  ),
  ask(
    'what was posted after them',
    'search_posts',
    { created_after: '2026-01-01T00:05:00Z', limit: 2 },
    '/posts?created_after=2026-01-01T00:05:00Z&limit=2',
  ),
  ask(
    'which posts have at least 50 points',
    'search_posts',
    { min_score: 50 },
    '/posts?min_score=50&limit=10',
  ),
  ask(
    'what fits a minute of charging best',
    'search_posts',
    { q: 'charging minute', sort_by: 'relevance' },
    '/posts?q=charging%20minute&sort_by=relevance&limit=10',
  ),
  ask(
    'what mentions a phrase',
    'search_posts',
    { q: '"in a minute"' },
    '/posts?q=%22in%20a%20minute%22&limit=10',
  ),
  ask(
    'what leaves a word out',
    'search_posts',
    { q: 'batteries -minute' },
    '/posts?q=batteries%20-minute&limit=10',
  ),
  ask('what does one post say', 'get_post', { post_id: ids.post }, `/posts/${ids.post}`),
  ask('which comments are newest', 'search_comments', {}, '/comments?cursor=&limit=10'),
  ask(
    'which comments score highest',
    'search_comments',
    { sort_by: 'score', limit: 2 },
    '/comments?cursor=&sort_by=score&limit=2',
  ),
  ask(
    'what is answered to one post',
    'get_thread',
    { post_id: ids.post },
    `/comments?post_id=${ids.post}&sort_by=thread&cursor=&limit=10`,
  ),
  ask(
    'where is most said, and in which mood',
    'count_by',
    { by: ['forum', 'sentiment'] },
    '/analytics/facets?of=posts&by=forum,sentiment&limit=10',
  ),
  ask(
    'who writes most',
    'count_by',
    { by: ['author'], limit: 3 },
    '/analytics/facets?of=posts&by=author&limit=3',
  ),
  ask(
    'who writes most about minutes',
    'count_by',
    { by: ['author'], q: 'minute' },
    '/analytics/facets?of=posts&by=author&q=minute&limit=10',
  ),
  ask(
    'what are frequent keywords',
    'count_by',
    { by: ['keyword'] },
    '/analytics/facets?of=posts&by=keyword&limit=10',
  ),
  ask(
    'who comments most',
    'count_by',
    { of: 'comments', by: ['author'] },
    '/analytics/facets?of=comments&by=author&limit=10',
  ),
  ask(
    'how much is posted a month',
    'count_over_time',
    { interval: 'month' },
    '/analytics/timeseries?of=posts&interval=month&timezone=UTC',
  ),
  ask(
    'how does the mood change by hour',
    'count_over_time',
    { interval: 'hour', split_by: 'sentiment' },
    '/analytics/timeseries?of=posts&interval=hour&timezone=UTC&split_by=sentiment',
  ),
  ask(
    'how much is commented a day in Berlin',
    'count_over_time',
    { of: 'comments', timezone: 'Europe/Berlin' },
    '/analytics/timeseries?of=comments&interval=day&timezone=Europe/Berlin',
  ),
  ask(
    'on which days is unusually much posted',
    'find_spikes',
    { interval: 'day' },
    '/analytics/spikes?of=posts&interval=day&timezone=UTC',
  ),
  ask('what is watched', 'list_alerts', {}, '/alerts'),
  ask(
    'what did the alert find',
    'list_matches',
    { alert_id: ids.alert, state: 'new' },
    `/matches?alert_id=${ids.alert}&state=new&limit=10`,
  ),
  ask(
    'how is a query understood',
    'explain_query',
    { q: 'battery -windows' },
    '/search/explain?of=posts&q=battery%20-windows',
  ),
  ask('what is being collected', 'list_jobs', {}, '/jobs?limit=10'),
  ask('how far is one job', 'get_job', { job_id: ids.job }, `/jobs/${ids.job}`),
];
