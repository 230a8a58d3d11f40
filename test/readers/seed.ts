import type { NewComment } from '../../src/content/comments/comments.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost, type NewPost } from '../factories/posts.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
export const OUTAGE_DAY = '2026-03-10';

const TOPICS = {
  gardening: ['tomato seedlings', 'drip irrigation', 'pruning roses'],
  cooking: ['a copper kettle', 'sourdough starters', 'a broken teapot'],
  cycling: ['tubeless tyres', 'the outage of the ride tracker', 'winter gloves'],
  astronomy: ['a small telescope', 'meteor showers', 'light pollution'],
};
const FORUMS = Object.keys(TOPICS) as (keyof typeof TOPICS)[];
/** Some write more than others. */
const AUTHORS = 'mira mira mira mira jonas jonas jonas amara amara wei lucia'.split(' ');
const authorOf = (number: number): string => AUTHORS[number % AUTHORS.length]!;
const SENTIMENTS = [
  ['positive', 0.6],
  ['neutral', 0],
  ['negative', -0.6],
] as const;

/** An ordinary post: no other has its score, and half a day lies between it and the next. */
function ordinaryPost(number: number): NewPost {
  const forum = FORUMS[number % 4]!;
  const topic = TOPICS[forum][Math.floor(number / 4) % 3]!;
  const [sentimentLabel, sentimentScore] = SENTIMENTS[Math.floor(number / 12) % 3]!;
  return aPost(number, {
    ...{ forum, sentimentLabel, sentimentScore, score: (number * 37) % 991 },
    title: `Question ${number} about ${topic}`,
    selftext:
      number % 10 === 0 ? `Wer hat Erfahrung damit? Ich suche seit Wochen nach ${topic}.` : `Who knows more?`,
    language: number % 10 === 0 ? 'de' : 'en',
    author: authorOf(number),
    createdUtc: new Date(START + number * 12 * HOUR_MS),
    keywords: [topic.split(' ').at(-1)!, forum],
  });
}

/** One of many posts of one day about one event. */
const outagePost = (number: number): NewPost => ({
  ...ordinaryPost(1 + 4 * number),
  ...{ id: aPost(1_000 + number).id, forum: 'cycling', score: 0, title: `Is there an outage? (${number})` },
  ...{ createdUtc: new Date(Date.parse(OUTAGE_DAY) + number * HOUR_MS * 0.5), keywords: ['outage'] },
});

/** A post that looks like the others, with an instruction to assistants. Its score is among the highest. */
const hostilePost = (text: Partial<NewPost>, number: number): NewPost => ({
  ...ordinaryPost(number),
  ...{ id: aPost(2_000 + number).id, score: 1_000 + number * 3 },
  createdUtc: new Date(START + (number * 26 + 5) * HOUR_MS),
  ...text,
});

export const POSTS: readonly NewPost[] = [
  ...Array.from({ length: 240 }, (_, number) => ordinaryPost(number)),
  ...Array.from({ length: 40 }, (_, number) => outagePost(number)),
  ...HOSTILE_TEXTS.map(hostilePost),
];

/** The post with comments. */
export const THREAD = POSTS[10]!;

/** Every third comment answers the post; the next two answer the one before. */
export const COMMENTS: readonly NewComment[] = Array.from({ length: 45 }, (_, number) =>
  aComment(number, {
    ...{ postId: THREAD.id, postPermalink: THREAD.permalink, forum: THREAD.forum, depth: number % 3 },
    parentId: number % 3 === 0 ? THREAD.id : aComment(number - 1).commentId,
    author: number % 7 < 3 ? 'lucia' : authorOf(number),
    body: `Comment ${number}`,
  }),
);
