import { formatNumber } from '../format.ts';

/** What to do when a forum will not become readable. */
const otherTarget = (why: string): string =>
  `${why} Choose another forum and delete the schedules of this one. Posts collected earlier are kept and stay searchable.`;

/** Texts of Jobs and of the page of a job. */
export const jobsTexts = {
  title: 'Jobs',
  start: 'Start a scrape',
  empty: 'No jobs yet.',
  emptyHint: 'A job collects the posts and comments of a forum or a user.',
  example: { name: 'technology', details: 'The newest 100 posts of a Reddit forum, with their comments' },
  noneFound: 'No job matches these filters.',
  byTarget: 'Forum or user',
  byMode: 'Mode',
  anyMode: 'Any mode',
  modeNames: { full: 'Newest posts', monitor: 'Only new posts', history: 'All history' },
  all: 'All',
  filter: 'Status',
  statuses: {
    pending: 'Waiting',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  columns: {
    target: 'Source',
    status: 'Status',
    posts: 'Posts',
    comments: 'Comments',
    duration: 'Duration',
    trigger: 'Started by',
    created: 'Created',
  },
  triggers: { schedule: 'Schedule', request: 'User or program' },
  targetTypes: { forum: 'Forum', user: 'User' },
  form: {
    target: 'Forum or user name',
    targetHint: 'For example technology, hn:top, or the pasted address of a page.',
    synthetic: 'Reddit forums hold synthetic data here, for example technology and pictures.',
    recognised: (name: string, source: string) =>
      `Recognised: ${name.startsWith(source) ? name.replace(': ', ', ') : `${name} (${source})`}`,
    unknownAddress: (sources: string) => `The service can read addresses of ${sources}, and not this one.`,
    targetType: 'Type',
    mode: 'What to collect',
    modes: {
      full: 'The newest posts',
      monitor: 'New since the last job',
      history: 'All history: as far back as possible',
    },
    limit: 'Maximum posts',
    comments: 'Include comments',
    media: 'Include pictures and videos',
    plugins: 'Plugins',
    submit: 'Start',
    submitting: 'Starting …',
  },
  detail: {
    back: 'All jobs',
    cancel: 'Cancel the job',
    cancelTitle: 'Cancel this job?',
    cancelText: 'Everything collected so far is kept. A cancelled job cannot be resumed, only repeated.',
    keep: 'Keep running',
    repeat: 'Repeat',
    edit: 'Edit and start again',
    postsNew: (added: string, updated: string) => `${added} new, ${updated} updated`,
    posts: 'Posts of this job',
    searchPosts: 'Search the posts of this job',
    live: 'Live updates',
    reconnecting: 'Connection lost. Reconnecting …',
    counters: { posts: 'Posts', comments: 'Comments', media: 'Files', requests: 'Requests' },
    facts: {
      created: 'Created',
      started: 'Started',
      completed: 'Ended',
      duration: 'Duration',
      limit: 'Maximum posts',
      options: 'Includes',
      trigger: 'Started by',
      source: 'Source',
      id: 'ID',
    },
    title: 'Details',
    options: { posts: 'posts', comments: 'comments', media: 'pictures and videos' },
    notFound: 'This job does not exist in your workspace.',
    missing: (count: string) =>
      `Listed by the platform but not delivered: ${count === '1' ? '1 comment' : `${count} comments`}.`,
    mediaFailed: (count: string) =>
      `Could not be downloaded: ${count === '1' ? '1 file' : `${count} files`}.`,
    pluginFailed: (plugin: string, message: string) => `Plugin ${plugin} failed on some posts: ${message}`,
  },
  select: (target: string, status: string) => `Select: ${target}, ${status}`,
  several: {
    repeat: (count: string) => (count === '1' ? 'Repeat 1 job' : `Repeat ${count} jobs`),
    repeated: (count: string) =>
      count === '1' ? '1 job was started again.' : `${count} jobs were started again.`,
    cancel: (count: string) => (count === '1' ? 'Cancel 1 job' : `Cancel ${count} jobs`),
    cancelTitle: (count: string) => (count === '1' ? 'Cancel 1 job?' : `Cancel ${count} jobs?`),
    cancelText: 'Everything collected so far is kept. Cancelled jobs cannot be resumed, only repeated.',
    keep: 'Keep running',
  },
  log: {
    title: 'Log',
    find: 'Find in the log',
    onlyWarnings: 'Only warnings',
    found: (count: string, total: string) => `${count} of ${total} entries`,
    noneFound: 'No entry matches.',
    empty: 'No entries yet.',
    levels: { info: 'Info', warn: 'Warning' },
    retries: (count: string) => `${count} requests failed and were retried`,
    times: (message: string, count: string) => `${message} (${count} times)`,
    leftOut: (count: string) => `${count} entries in between are no longer stored.`,
  },
  stopReasons: {
    limit: 'The job reached its maximum number of posts. Raise it to collect more.',
    end_of_listing: 'The job collected everything that the platform lists.',
    listing_cap:
      'The platform lists only about 1,000 posts. If an archive is configured, the mode "All history" goes further back.',
    up_to_date: 'The job reached posts that were collected earlier: everything is up to date.',
  } as Record<string, string>,
  bar: {
    posts: (posts: number) => (posts === 1 ? '1 post' : `${formatNumber(posts)} posts`),
    ofPosts: (posts: number, limit: number) =>
      `${formatNumber(posts)} of at most ${formatNumber(limit)} posts`,
    threads: (count: number) => (count === 1 ? '1 thread left' : `${formatNumber(count)} threads left`),
    files: (count: number) => (count === 1 ? '1 file left' : `${formatNumber(count)} files left`),
    left: (time: string) => `about ${time}`,
    withNew: (posts: string, added: string) => `${posts} (${added} new)`,
  },
  phases: {
    listing: 'Reading posts',
    comments: 'Reading comments',
    media: 'Downloading files',
    finishing: 'Finishing',
  },
  comparison: {
    title: 'Compared with the run before',
    thisRun: 'This run',
    added: 'New posts',
    updated: 'Updated posts',
  },
  waiting: {
    budget: "Waiting for the platform's request budget.",
    retry: 'A request to the platform failed and will be retried.',
    worker: 'Waiting for a free worker. If this takes long, check that a worker process is running.',
    claims:
      'Workers are running, but the database refuses their claims. Ask the operator to run npm run doctor.',
    turn: 'Other jobs are running. This one starts when its turn comes.',
  } as Record<string, string>,
  waitingUntil: 'Continues',
  isDue: 'any moment now',
  pendingText: 'The job is queued and starts as soon as a worker is free.',
  cancelledText: 'The job was cancelled. Everything it had collected is kept.',
  /** What to do about a failure, below the message that names its cause. */
  failures: {
    target_not_found: 'Check the spelling and whether it is a forum or a user. Then start another job.',
    target_private: otherTarget(
      'The service reads the platform without a user account, so it cannot become a member.',
    ),
    target_banned: otherTarget('The platform no longer shows its content.'),
    target_quarantined: otherTarget(
      'The service reads the platform without a user account, so it cannot opt in.',
    ),
    target_gated: otherTarget(
      'The service reads the platform without a user account, so it cannot accept the warning.',
    ),
    target_forbidden:
      'Open it on the platform. If you can read it there, ask the operator to check the OAuth application. Otherwise choose another forum or user.',
    unavailable: 'Repeat the job later. Everything it collected is kept.',
    bad_answer: 'Repeat the job later. Everything it collected is kept.',
    rate_limited:
      'Repeat the job later. If this happens again, ask the operator to lower the request budget.',
    blocked: 'Ask the operator to correct this. Then repeat the job.',
    credentials_missing:
      'Ask the operator to set PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET and PLATFORM_USER_AGENT. Then repeat the job.',
    credentials_refused:
      'Ask the operator to correct PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. Then repeat the job.',
    internal_error:
      'Send the ID of this job to the operator, who finds the cause in the log. Then repeat the job.',
    worker_lost:
      'Send the ID of this job to the operator, who finds the cause in the log. Then repeat the job.',
  } as Record<string, string>,
};
