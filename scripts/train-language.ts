/**
 * Trains the language model: `node dist/scripts/train-language.js LABELLED WORDS SENTENCES [OUT]`, where WORDS is the
 * folder `content/2018` of hermitdave/FrequencyWords and SENTENCES the folder `cmd/language-testdata/sentences` of
 * pemistahl/lingua-go. The same files give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_LANGUAGES } from '../src/text/language/languages.js';
import {
  encodeLanguageModel,
  MODEL_SCRIPTS,
  slotsOf,
  type ModelScript,
  type ScriptWeights,
} from '../src/text/language/language-model.js';
import { readLanguageCorpus } from './training/language-corpus.js';
import { trainLanguages } from './training/train-languages.js';

/** Weights beyond this are limited, so that a byte has enough steps for the others. */
const LARGEST_WEIGHT = 16;

const [labelled, words, sentences, out = 'src/text/language'] = process.argv.slice(2);
if (!labelled || !words || !sentences) {
  console.error('usage: node dist/scripts/train-language.js LABELLED WORDS SENTENCES [OUT]');
  process.exit(2);
}
const weights = Object.fromEntries(
  MODEL_SCRIPTS.map((script): [ModelScript, ScriptWeights] => {
    const examples = readLanguageCorpus({ labelled, words, sentences }, script);
    console.log(`${script}: ${examples.length} texts`);
    return [script, trainLanguages(examples, slotsOf(script), MODEL_LANGUAGES[script].length)];
  }),
) as Record<ModelScript, ScriptWeights>;
const file = encodeLanguageModel(weights, LARGEST_WEIGHT);
writeFileSync(join(out, 'languages.bin'), file);
console.log(`${file.length} bytes written to ${out}`);
