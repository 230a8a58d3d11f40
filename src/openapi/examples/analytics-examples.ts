import { post, type OperationExamples } from './interface-examples.js';

/** Examples for operations that count, explain and measure searches. */
export const ANALYTICS_EXAMPLES: Record<string, OperationExamples> = {
  getFacets: {
    response: {
      total: 1_284,
      facets: { forum: [{ value: 'technology', count: 903 }], sentiment: [{ value: 'neutral', count: 611 }] },
    },
  },
  getTimeSeries: {
    response: {
      interval: 'day',
      timezone: 'UTC',
      buckets: [
        {
          start: '2026-11-20T00:00:00.000Z',
          count: 41,
          mean_sentiment: 0.112,
          split: { positive: 20, negative: 21 },
        },
        { start: '2026-11-21T00:00:00.000Z', count: 0, mean_sentiment: null, split: {} },
      ],
    },
  },
  getRecall: {
    response: {
      found: 1846,
      missed: { estimate: 2310, low: 1098, high: 4862 },
      suggestions: [
        {
          add: 'floodwater',
          query: 'flood OR floodwater',
          gain: 1640,
          examples: ['t3_1abc23', 't3_1abc24', 't3_1abc25'],
        },
      ],
    },
  },
  suggestQueries: {
    request: { about: 'Notion, the note-taking app' },
    response: {
      queries: [
        {
          q: '=Notion ("Notion app"~10 OR "notion obsidian"~10 OR "using notion")',
          listen: ['hackernews', 'bluesky'],
          why: '“Notion” is mostly an ordinary word (a vague idea in which some confidence is placed), so only texts with words that come with a name near it: “app”, “obsidian”.',
          matches: 38,
        },
      ],
      places: [
        {
          target: 'hn:search/Notion',
          why: '61 stored posts and comments of hn:story match the first query.',
        },
      ],
    },
  },
  listStories: {
    response: {
      stories: [
        {
          id: 'story_0b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab',
          title: 'Recall of the charger after fires',
          size: 84,
          first_at: '2026-11-18T06:12:00.000Z',
          last_at: '2026-11-20T17:40:00.000Z',
          sources: ['reddit', 'hackernews'],
          forums: ['technology'],
          growth: 31,
          keywords: ['recall', 'charger'],
          posts: ['t3_1abc23', 't3_1abc24'],
        },
      ],
      left_out: 0,
      cursor: '',
      has_more: false,
    },
  },
  listStoryPosts: { response: { posts: [post], comments: [], cursor: '', has_more: false } },
  findSpikes: {
    response: {
      interval: 'hour',
      timezone: 'UTC',
      spikes: [
        {
          start: '2026-11-20T14:00:00.000Z',
          end: '2026-11-20T17:00:00.000Z',
          count: 96,
          expected: 14.2,
          score: 7.31,
          top_keywords: [{ keyword: 'recall', count: 61 }],
          top_posts: [
            {
              id: post.id,
              title: post.title,
              forum: post.forum,
              author: post.author,
              created_utc: post.created_utc,
              permalink: post.permalink,
              score: post.score,
              num_comments: post.num_comments,
            },
          ],
        },
      ],
    },
  },
  getQueryExplanation: {
    response: {
      query: 'battery -charger',
      tree: {
        kind: 'and',
        operands: [
          { kind: 'words', text: 'battery', isExact: false, isPrefix: false, field: null },
          {
            kind: 'not',
            operand: { kind: 'words', text: 'charger', isExact: false, isPrefix: false, field: null },
          },
        ],
      },
      notices: [
        { position: 8, length: 1, message: 'This contains nothing that can be found, so it is left out.' },
      ],
    },
  },
  getKeywords: {
    response: { keywords: [{ keyword: 'solid state', count: 120, previous_count: 80, change: 40 }] },
  },
};
