/**
 * Prints the weights for `src/enrichment/sentiment/opinion.ts`: `node dist/scripts/fit-opinion.js FOLDER`. Run it after
 * changing the features or the word lists, before retraining the weights.
 */
import { fitOpinion } from './training/fit-opinion.js';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node dist/scripts/fit-opinion.js FOLDER');
  process.exit(2);
}
console.log(JSON.stringify(fitOpinion(folder), null, 2));
