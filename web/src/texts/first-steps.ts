/** Texts of the first steps in a new workspace. */
export const firstStepsTexts = {
  title: 'Collect your first posts',
  explanation: 'This workspace is empty. Begin with a word, or with a place where people talk.',
  moreTitle: 'Collect more posts',
  moreExplanation: (posts: string) =>
    `This workspace has ${posts === '1' ? '1 post' : `${posts} posts`}. Choose another word or place.`,
  word: {
    title: 'A word, anywhere',
    detail: 'A product, a project, a person or a town. No place to choose, no credentials needed.',
    label: 'Word, name or sentence',
    suggest: 'Continue',
    suggesting: 'Looking for queries …',
    choose: 'What counts as a mention?',
    none: 'These are only words that every text has. Add a name or a rarer word.',
    matches: (count: string) => (count === '1' ? '1 stored mention' : `${count} stored mentions`),
    places: 'It is talked about in',
    listen: 'Listen',
    listening: 'Starting …',
    listens: (sources: string) =>
      `Listens to ${sources} from now on, and collects what Hacker News has about it.`,
    collects: 'Looks at everything that is collected, and collects what Hacker News has about it.',
  },
  place: {
    title: 'A place',
    detail:
      'Paste the address of a forum, a community, an account, a feed or a repository, or choose a source.',
    sources: 'Sources',
  },
  start: 'Start',
  starting: 'Starting …',
  arriving: (target: string) => `Collecting ${target}`,
  arrived: (target: string) => `Collected ${target}`,
  next: {
    title: 'Next',
    keep: 'Keep collecting',
    keepHint: (target: string) => `Collects what is new in ${target} every hour.`,
    kept: 'It is collected every hour.',
    schedules: 'See the schedules',
    notify: 'Tell me',
    notifyHint: 'An alert finds the posts with your words, and writes to you or to a chat.',
    wordHint: 'New mentions appear in Mentions. Choose a chat, an e-mail address or a webhook for them.',
    mentions: 'See the mentions',
  },
  toPosts: 'Search the posts',
  another: 'Try another source',
  needsWrite: 'Your API key can only read. To start a scrape, sign in with a key that has the "write" scope.',
};
