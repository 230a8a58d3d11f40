import { parentPort } from 'node:worker_threads';
import { learnRelevance, survey } from './learn-relevance.js';
import type { Learned, LearningMessage } from './learning-thread.js';

const matched: string[] = [];
const others: string[] = [];
const decisions: (0 | 1 | null)[] = [];
const port = parentPort!;

port.on('message', (message: LearningMessage) => {
  if ('matched' in message) {
    matched.push(...message.matched);
    decisions.push(...message.decisions);
  } else if ('others' in message) others.push(...message.others);
  else {
    const model = learnRelevance(survey({ query: message.query, matched, others }), decisions);
    const relevance = Float64Array.from(matched, (text) => model.relevance(text));
    port.postMessage({ model: Uint8Array.from(model.store()), relevance } satisfies Learned);
  }
});
