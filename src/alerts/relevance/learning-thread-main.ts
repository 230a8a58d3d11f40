import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { learnRelevance, type Lessons, type Survey, survey } from './learn-relevance.js';
import type { Learned, LearningMessage } from './learning-thread.js';
import type { QueryWords } from './query-standing.js';

let matched: string[] = [];
let others: string[] = [];
let decisions: (0 | 1 | null)[] = [];
let last: { key: string; known: Survey } | null = null;
const port = parentPort!;

/** The survey of texts, which is kept until others are learned from. */
function known(lessons: Lessons): Survey {
  const hash = createHash('sha256');
  for (const texts of [lessons.query, lessons.matched, lessons.others]) hash.update(JSON.stringify(texts));
  const key = hash.digest('hex');
  if (last?.key !== key) last = { key, known: survey(lessons) };
  return last.known;
}

function learn(query: QueryWords): void {
  // In an order that does not change with decisions, so that the survey is used again.
  const order = [...matched.keys()].sort((a, b) => (matched[a]! < matched[b]! ? -1 : 1));
  const lessons = { query, matched: order.map((at) => matched[at]!), others };
  const model = learnRelevance(
    known(lessons),
    order.map((at) => decisions[at]!),
  );
  const relevance = Float64Array.from(matched, (text) => model.relevance(text));
  [matched, others, decisions] = [[], [], []];
  port.postMessage({ model: Uint8Array.from(model.store()), relevance } satisfies Learned);
}

port.on('message', (message: LearningMessage) => {
  if ('matched' in message) {
    matched.push(...message.matched);
    decisions.push(...message.decisions);
  } else if ('others' in message) others.push(...message.others);
  else learn(message.query);
});
