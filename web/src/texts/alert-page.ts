/** Texts of the page of an alert. */
export const alertPageTexts = {
  /** By the code of a warning; what keeps the channel from sending is said apart. */
  warnings: {
    nothing_listened_to:
      'Nothing new is read: this alert listens to no source, and no schedule or job collects posts. Edit it to listen, or create a schedule.',
    listened_posts_per_day:
      'The limit of posts that are stored for listening is reached for today (UTC). Further ones are counted, not stored.',
    no_second_reader:
      'Its question is not asked: the operator has set no language model. The learned relevance decides alone.',
  } as Readonly<Record<string, string>>,
  back: 'All alerts',
  notFound: 'There is no such alert.',
  query: 'What it looks for',
  change: 'Change',
  inSearch: 'Show in Search',
  keywords: 'Keywords',
  trend: {
    title: 'In the last 90 days',
    none: 'Nothing stored of the last 90 days matches.',
  },
  sources: {
    title: 'Sources',
    none: 'No source yet.',
  },
  listening: {
    title: 'Where it listens',
    places: 'In what jobs and schedules collect. Edit the alert to listen to whole sources, too.',
    since: 'since',
    gap: (from: string, to: string, reason: string) => `Not read from ${from} to ${to}: ${reason}`,
    moreGaps: (count: string) => `${count} more times were not read.`,
  },
  mentions: {
    title: 'Mentions',
    order: 'Shown mentions',
    orders: { newest: 'Newest', uncertain: 'Next to decide' },
    none: 'No mentions yet. They appear here when a new post or comment matches.',
    noneToJudge: 'Nothing is left to decide.',
    all: (count: string) => `All ${count} in Mentions`,
    judgeHint: 'Keep (S) or dismiss (D): the alert learns most from these.',
  },
  relevance: {
    decided: (kept: string, dismissed: string) => `${kept} kept, ${dismissed} dismissed.`,
    notReady: 'After ten decisions, at least three of each kind, each mention gets a relevance.',
    precision: (estimate: string, low: string, high: string) =>
      `About ${estimate} of the undecided mentions are relevant (90 % interval: ${low} to ${high}).`,
    hidden: (count: string, limit: string) =>
      `${count === '1' ? '1 mention' : `${count} mentions`} below ${limit} ${count === '1' ? 'is' : 'are'} not sent.`,
  },
  recall: {
    title: 'What it misses',
    explanation: 'An estimate from a sample of what is stored; it takes some seconds.',
    estimate: 'Estimate',
    estimating: 'Estimating …',
    found: (count: string) => `It finds ${count} of what is stored.`,
    missed: (estimate: string, low: string, high: string) =>
      `About ${estimate} more (${low} to ${high}) are probably about the same.`,
    unknown: 'There is too little to tell how many it misses.',
    noSuggestions: 'No word was found that would find more.',
    words: 'Words that would find more',
    gain: (count: string) => `about ${count} more`,
    add: 'Add',
    addWord: (word: string) => `Add ${word}`,
    added: (word: string) => `"${word}" was added.`,
    example: (number: string) => `Example ${number}`,
  },
  stories: {
    title: 'Stories',
    all: 'All stories',
    none: 'No stories in the last 30 days.',
  },
};
