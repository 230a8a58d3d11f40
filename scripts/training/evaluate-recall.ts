import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { solve } from '../../src/alerts/relevance/matrices.js';
import { EventLoopTurn } from '../../src/common/event-loop-turn.js';
import { QueryMatcher } from '../../src/search/matching/query-matcher.js';
import { parseQuery } from '../../src/search/query/parse-query.js';
import { conditionOfText } from '../../src/search/query/ranked-slots.js';
import { type MissedModel, missedRows, missedSigns } from '../../src/search/recall/missed-rows.js';
import { type RowScores, scoreRows, type Searched } from '../../src/search/recall/row-scores.js';
import { readSearched } from '../../src/search/recall/searched-texts.js';
import {
  candidatesOf,
  logitOfShare,
  type PrecisionModel,
  suggestedWords,
} from '../../src/search/recall/suggested-words.js';

/**
 * Fits the recall meter on labelled texts and prints its constants, and how right it is about an event that it was not
 * fitted to: `evaluate-recall.js FOLDER`, where FOLDER has `queries.json` and a folder `disclosed` of workspaces.
 */
interface Row {
  text: string;
  label: string;
}
interface Query {
  workspace: string;
  label: string;
  q: string;
}
interface Case {
  event: string;
  isPool: boolean;
  searched: Searched;
  scores: RowScores;
  isRelevant: boolean[];
  right: number;
  missed: number;
  signs: number[];
}
interface Example {
  signs: readonly number[];
  target: number;
  weight: number;
}

/** Of ridges over signs in standard deviations: a few cases for each weight, and thousands of words. */
const PRECISION = { missed: 1, words: 30 };
const COVERAGE = 0.9;
const EXPECTED_RIGHT = 0.8;
const ACCEPTED = 2;
const FULL_WEIGHT_ROWS = 20;

const folder = process.argv[2]!;
const { disclosed } = JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8')) as {
  disclosed: { recall: Query[] };
};
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

async function caseOf({ workspace, label, q }: Query): Promise<Case> {
  const lines = readFileSync(join(folder, 'disclosed', `${workspace}.ndjson`), 'utf8')
    .trim()
    .split('\n');
  const rows = lines.map((line) => JSON.parse(line) as Row);
  const matcher = await QueryMatcher.compile([conditionOfText(q)]);
  const isFound = rows.map(({ text }) => {
    let found = false;
    const record = { texts: { title: '', text }, language: 'en', values: {}, numbers: {}, flags: {} };
    matcher.match(record, () => (found = true));
    return found;
  });
  const texts = rows.map(({ text }) => text);
  const searched = await readSearched(texts, isFound, parseQuery(q).tree, turn);
  const scores = await scoreRows(searched, turn);
  const isRelevant = rows.map((row) => row.label === label);
  const count = (test: (row: number) => boolean): number =>
    rows.filter((_, row) => isRelevant[row]! && test(row)).length;
  return {
    event: workspace === 'pool' ? label : workspace.replace('-thin', ''),
    isPool: workspace === 'pool',
    searched,
    scores,
    isRelevant,
    right: count((row) => isFound[row]!),
    missed: count((row) => !isFound[row]),
    signs: missedSigns(searched, scores),
  };
}

/** The ridge over signs in standard deviations, as weights of the signs themselves. */
function ridge(examples: readonly Example[], precision: number): PrecisionModel {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = (of: (example: Example) => number): number =>
    examples.reduce((sum, example) => sum + example.weight * of(example), 0) / total;
  const size = examples[0]!.signs.length;
  const center = Array.from({ length: size }, (_, at) => weighted(({ signs }) => signs[at]!));
  const spread = center.map((middle, at) =>
    Math.sqrt(weighted(({ signs }) => (signs[at]! - middle) ** 2) || 1),
  );
  const target = weighted((example) => example.target);
  const scaled = (signs: readonly number[], at: number): number => (signs[at]! - center[at]!) / spread[at]!;
  const matrix = new Float64Array(size * size);
  const values = new Float64Array(size);
  for (const { signs, target: value, weight } of examples)
    for (let row = 0; row < size; row += 1) {
      const share = ((weight * examples.length) / total) * scaled(signs, row);
      values[row]! += share * (value - target);
      for (let column = 0; column <= row; column += 1)
        matrix[row * size + column]! += share * scaled(signs, column);
    }
  for (let at = 0; at < size; at += 1) matrix[at * size + at]! += precision;
  const weights = [...solve(matrix, values)].map((value, at) => value / spread[at]!);
  return {
    intercept: weights.reduce((sum, weight, at) => sum - weight * center[at]!, target),
    weights,
  };
}

function fitRatio(cases: readonly Case[]): PrecisionModel {
  const examples = cases.map(({ signs, missed, searched }) => ({
    signs,
    target: Math.log(missed / searched.found),
    weight: 1,
  }));
  return ridge(examples, PRECISION.missed);
}

/** The model of the rows missed; its interval is that of events left out of a fit. */
function fitMissed(cases: readonly Case[]): MissedModel {
  const off = eachEvent(cases, (rest, own) => {
    const model = fitRatio(rest);
    return own.map(({ signs, missed, searched }) => {
      const ratio = model.weights.reduce((sum, weight, at) => sum + weight * signs[at]!, model.intercept);
      return Math.abs(ratio - Math.log(missed / searched.found));
    });
  }).sort((a, b) => a - b);
  return { ...fitRatio(cases), half: off[Math.floor(COVERAGE * (off.length - 1))]! };
}

const candidatesIn = ({ searched, scores, signs }: Case, model: MissedModel) =>
  candidatesOf(searched, { scores, missed: missedRows(searched, signs, model).estimate }, turn);

async function fitWords(cases: readonly Case[], model: MissedModel): Promise<PrecisionModel> {
  const examples: Example[] = [];
  for (const one of cases) {
    const candidates = await candidatesIn(one, model);
    const { isRelevant } = one;
    const more = candidates.map((candidate) => ({
      signs: candidate.signs,
      target: logitOfShare(candidate.added.filter((row) => isRelevant[row]).length / candidate.added.length),
      weight: Math.min(1, candidate.added.length / FULL_WEIGHT_ROWS) / candidates.length,
    }));
    examples.push(...more);
  }
  return ridge(examples, PRECISION.words);
}

function eachEvent<T>(all: readonly Case[], measure: (rest: Case[], own: Case[]) => T[]): T[] {
  return [...new Set(all.map(({ event }) => event))].flatMap((event) =>
    measure(
      all.filter((one) => one.event !== event),
      all.filter((one) => one.event === event),
    ),
  );
}

async function measured(one: Case, missedModel: MissedModel, wordModel: PrecisionModel) {
  const { searched, signs, right, missed, isRelevant } = one;
  const said = missedRows(searched, signs, missedModel);
  const recall = (of: number): number => right / (right + of);
  const words = suggestedWords(searched, await candidatesIn(one, missedModel), wordModel);
  const first = words.slice(0, ACCEPTED);
  const added = new Set(first.flatMap((word) => word.added));
  const hits = [...added].filter((row) => isRelevant[row]).length;
  return {
    isPool: one.isPool,
    bias: recall(said.estimate) - recall(missed),
    isCovered: said.low <= missed && missed <= said.high,
    width: recall(said.low) - recall(said.high),
    isOffered: added.size > 0,
    isPrecise: hits >= EXPECTED_RIGHT * added.size,
    gain: hits / (right + missed),
    factors: first.map(({ added: own, precision }) =>
      Math.abs(Math.log((precision * own.length) / Math.max(1, own.filter((row) => isRelevant[row]).length))),
    ),
  };
}
type Measured = Awaited<ReturnType<typeof measured>>;

function print(name: string, all: readonly Measured[]): void {
  const share = (test: (one: Measured) => boolean, of = all): string =>
    mean(of.map((one) => Number(test(one)))).toFixed(2);
  const offered = all.filter(({ isOffered }) => isOffered);
  const factors = offered.flatMap((one) => one.factors).sort((a, b) => a - b);
  const gain = mean(all.map((one) => (one.isOffered && one.isPrecise ? one.gain : 0)));
  console.log(
    `${name} (${all.length}): error ${mean(all.map(({ bias }) => Math.abs(bias))).toFixed(3)}, bias ${mean(all.map(({ bias }) => bias)).toFixed(3)}, coverage ${share((one) => one.isCovered)}, width ${mean(all.map(({ width }) => width)).toFixed(2)}; suggestions offered ${share((one) => one.isOffered)}, precise ${share((one) => one.isPrecise, offered)}, gain ${gain.toFixed(3)}, off by a factor of ${Math.exp(factors[factors.length >> 1]!).toFixed(2)}`,
  );
}

const turn = new EventLoopTurn();
const cases: Case[] = [];
for (const query of disclosed.recall) cases.push(await caseOf(query));
const leftOut = eachEvent(cases, (rest, own) => [{ rest, own }]);
const all: Measured[] = [];
for (const { rest, own } of leftOut) {
  const missedModel = fitMissed(rest);
  const wordModel = await fitWords(rest, missedModel);
  for (const one of own) all.push(await measured(one, missedModel, wordModel));
}
print('all', all);
print(
  'everyday talk',
  all.filter(({ isPool }) => !isPool),
);
print(
  'other events',
  all.filter(({ isPool }) => isPool),
);
const missedModel = fitMissed(cases);
console.log(JSON.stringify({ missedModel, wordModel: await fitWords(cases, missedModel) }));
