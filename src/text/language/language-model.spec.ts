import { mixBits } from '../../common/hash.js';
import {
  collectFeatures,
  encodeLanguageModel,
  LanguageModel,
  MODEL_SCRIPTS,
  type ModelScript,
  type ScriptWeights,
  slotsOf,
} from './language-model.js';
import { MODEL_LANGUAGES } from './languages.js';
import { readLetters } from './letters.js';
import { SCRIPTS } from './scripts.js';

/** A letter of each script, from which the words of the test are made. */
const FIRST_LETTERS: Readonly<Record<ModelScript, string>> = {
  Latin: 'a',
  Cyrillic: 'а',
  Arabic: 'ف',
  Devanagari: 'क',
};

/** So small that no half of a text is certain. */
const STEP = 0.001;
/** From -127 to 127 steps, the extremes often. */
const weightAt = (index: number): number =>
  STEP * Math.max(-127, Math.min(127, (mixBits(index) % 301) - 150));

const weights = Object.fromEntries(
  MODEL_SCRIPTS.map((script, number): [ModelScript, ScriptWeights] => {
    const classes = MODEL_LANGUAGES[script].length;
    const slots = Float32Array.from({ length: slotsOf(script) * classes }, (_, index) =>
      weightAt(index + number),
    );
    return [script, { slots, bias: Float32Array.from({ length: classes }, (_, k) => k / 8) }];
  }),
) as Record<ModelScript, ScriptWeights>;
const model = new LanguageModel(encodeLanguageModel(weights, 127 * STEP));

/** A text of words of up to six letters. */
function textOf(script: ModelScript, words: number): string {
  const first = FIRST_LETTERS[script].charCodeAt(0);
  const word = (number: number): string =>
    Array.from({ length: 1 + (mixBits(number) % 6) }, (_, at) =>
      String.fromCharCode(first + (mixBits(number * 7 + at) % 5)),
    ).join('');
  return Array.from({ length: words }, (_, number) => word(number)).join(' ');
}

/** The score of every language, one weight after the other. */
function plainScores(script: ModelScript, text: string): number[] {
  const { units, length } = readLetters(text);
  const features = new Int32Array(2_000);
  const count = collectFeatures(units, length, SCRIPTS[script], slotsOf(script) - 1, features);
  const { slots, bias } = weights[script];
  return Array.from(bias, (base, k) => {
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum += slots[features[at]! * bias.length + k]!;
    return sum / Math.sqrt(Math.max(1, count)) + base;
  });
}

describe('LanguageModel', () => {
  it.each(MODEL_SCRIPTS.flatMap((script) => [2, 12, 150].map((words) => [script, words] as const)))(
    'adds up the weights of %s texts of %d words',
    (script, words) => {
      const text = textOf(script, words);
      const scores = plainScores(script, text);
      const top = Math.max(...scores);
      const total = scores.reduce((sum, score) => sum + Math.exp(score - top), 0);
      const { units, length } = readLetters(text);
      const found = model.classify(units, length, SCRIPTS[script])!;
      expect(found.language).toBe(MODEL_LANGUAGES[script][scores.indexOf(top)]);
      expect(found.probability).toBeCloseTo(1 / total, 5);
    },
  );
});

/** The words, framed by spaces, that a model was trained on are read as these features, or its weights mean nothing. */
it.each<[ModelScript, number, number]>([
  ['Latin', 638, 948453544],
  ['Cyrillic', 638, 1660520911],
  ['Arabic', 638, 1285962488],
  ['Devanagari', 638, 124628420],
])('the features of a text in %s are those that weights were trained for', (script, expected, digest) => {
  const { units, length } = readLetters(`${textOf(script, 40)} xyz абв فقك कखग`);
  const features = new Int32Array(2_000);
  const count = collectFeatures(units, length, SCRIPTS[script], slotsOf(script) - 1, features);
  expect([count, features.subarray(0, count).reduce((hash, one) => mixBits(hash + one), 0)]).toEqual([
    expected,
    digest,
  ]);
});
