/** The syntax of queries, with its meaning; code within `meaning` stands between backticks. */
export interface SyntaxLine {
  examples: readonly string[];
  meaning: string;
}

/** The help of the query language, in the dashboard and in docs/search.md. */
export const QUERY_SYNTAX: readonly SyntaxLine[] = [
  {
    examples: ['battery charger', 'battery AND charger'],
    meaning: "both words, in the forms of the text's language: `battery` also finds `batteries`",
  },
  { examples: ['battery OR charger', 'battery or charger'], meaning: 'one of the words' },
  { examples: ['-word', '!word', 'NOT word'], meaning: 'texts without the word' },
  { examples: ['(battery OR charger) -(usb OR cable)'], meaning: 'groups' },
  {
    examples: ['"solid state"', '“solid state”', '„solid state“', '«solid state»'],
    meaning: 'exactly these words side by side, at most 100',
  },
  { examples: ['=organ', '"organ"'], meaning: 'this form only, not `organs` or `organization`' },
  {
    examples: ['"apple phone"~10'],
    meaning: 'up to 16 words in any order, at most 10 words apart (1 to 100)',
  },
  { examples: ['batter*'], meaning: 'words that begin so' },
  {
    examples: ['title:battery', 'text:"solid state"', 'title:(battery OR charger)'],
    meaning: 'in the title or in the text only',
  },
  {
    examples: ['author:ann', 'author:ann*', 'forum:chess', 'subreddit:chess', 'flair:"Help wanted"'],
    meaning: 'records with this value, or one that begins so',
  },
  {
    examples: ['keyword:solar', 'source:hackernews', 'lang:de', 'type:image', 'sentiment:negative'],
    meaning: 'records with this value',
  },
  { examples: ['r/chess'], meaning: 'the forum, and texts that name it' },
  { examples: ['score:>10', 'comments:>=5', 'ratio:<0.6', 'score:0'], meaning: 'by number' },
  {
    examples: ['after:2026-01-31', 'before:2026-03-01T08:00:00+01:00'],
    meaning: 'from this day or time on, and before it; days are those of UTC',
  },
  {
    examples: ['is:nsfw', 'is:spoiler', 'has:media', 'has:comments'],
    meaning: 'records with this property',
  },
  {
    examples: ['is:promotion', '-is:promotion'],
    meaning: 'texts with a link to a page of their author, to one that pays for the link, or with an offer',
  },
];
