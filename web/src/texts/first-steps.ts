/** Texts of the first steps in a new workspace. */
export const firstStepsTexts = {
  title: 'Collect your first posts',
  explanation:
    'This workspace is empty. Choose a source: its newest posts and their comments appear here within seconds.',
  moreTitle: 'Collect more posts',
  moreExplanation: (posts: string) =>
    `This workspace has ${posts === '1' ? '1 post' : `${posts} posts`}. Choose another source: its newest posts and their comments appear here within seconds.`,
  hackerNews: 'Hacker News front page',
  hackerNewsDetail: 'The current top stories. No credentials needed.',
  other: 'Another source',
  otherDetail: (sources: string) => `The newest posts of a forum, a tag or an account of ${sources}.`,
  start: 'Start',
  starting: 'Starting …',
  arriving: (target: string) => `Collecting ${target}`,
  arrived: (target: string) => `Collected ${target}`,
  next: 'The newest posts are here. Start a job to collect more, or create a schedule to keep collecting new ones.',
  toPosts: 'Search the posts',
  another: 'Try another source',
  needsWrite: 'Your API key can only read. To start a scrape, sign in with a key that has the "write" scope.',
};
