import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AlertMatcher } from '../../src/alerts/matching/alert-matcher.js';
import { recordOf } from '../../src/alerts/matching/alertable-record.js';
import { learnRelevance, type Survey, survey } from '../../src/alerts/relevance/learn-relevance.js';
import { queryWords } from '../../src/alerts/relevance/query-standing.js';

/**
 * Prints how right the relevance of alerts is on labelled texts: `evaluate-relevance.js FOLDER`, where FOLDER has
 * `queries.json` and a folder `disclosed` of workspaces. Decisions are labels: the first matches in time, or those that
 * are least certain, ten at a time. All figures are of matches without a decision, means over alerts.
 */
interface Row {
  text: string;
  label: string;
}
interface Labelled {
  name: string;
  workspace: string;
  label: string;
  query: string;
}
interface Case {
  known: Survey;
  matched: string[];
  truths: (0 | 1)[];
}
type Figures = Record<
  'auc' | 'macro' | 'brier' | 'chance' | 'error' | 'kept' | 'hidden' | 'residual',
  number
>;

const folder = process.argv[2]!;
const lines = readFileSync(join(folder, 'queries.json'), 'utf8');
const { alerts } = (JSON.parse(lines) as { disclosed: { alerts: Labelled[] } }).disclosed;
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

async function caseOf({ workspace, label, query }: Labelled): Promise<Case> {
  const text = readFileSync(join(folder, 'disclosed', `${workspace}.ndjson`), 'utf8');
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  const matcher = await AlertMatcher.compile([{ id: 'one', keywords: [], query, forums: [] }]);
  const createdUtc = new Date(0);
  const isMatch = rows.map(
    ({ text: selftext }) =>
      matcher.match(recordOf({ id: 't3_1', forum: 'a', title: '', selftext, author: 'a', createdUtc }))
        .length > 0,
  );
  const matches = rows.filter((_, at) => isMatch[at]);
  const matched = matches.map((row) => row.text);
  const others = rows.filter((_, at) => !isMatch[at]).map((row) => row.text);
  const known = survey({ query: queryWords([], query), matched, others });
  return { known, matched, truths: matches.map((row) => (row.label === label ? 1 : 0)) };
}

function firstInTime(truths: readonly (0 | 1)[], count: number): number[] {
  const decided: number[] = [];
  const found = [0, 0];
  for (let at = 0; at < truths.length && (at < count || Math.min(...found) < 3); at += 1) {
    decided.push(at);
    found[truths[at]!]! += 1;
  }
  return decided;
}

/** The relevance of all matches after these decisions. */
function scored({ known, matched, truths }: Case, decided: readonly number[]): number[] {
  const isDecided = new Set(decided);
  const model = learnRelevance(
    known,
    truths.map((truth, at) => (isDecided.has(at) ? truth : null)),
  );
  return matched.map((text) => model.relevance(text));
}

function figures({ truths }: Case, decided: readonly number[], scores: readonly number[]): Figures {
  const known = new Set(decided);
  const rows = truths.flatMap((truth, at) => (known.has(at) ? [] : [{ truth, score: scores[at]! }]));
  const count = (test: (row: (typeof rows)[number]) => boolean): number => rows.filter(test).length;
  const [relevant, base] = [count(({ truth }) => truth === 1), mean(rows.map(({ truth }) => truth))];
  const shown = count(({ score }) => score >= 0.5);
  const right = count(({ truth, score }) => truth === 1 && score >= 0.5);
  const noise = rows.length - relevant;
  const hidden = noise - (shown - right);
  const f1 = (hits: number, said: number, is: number): number =>
    said + is === 0 ? 1 : (2 * hits) / (said + is);
  const sorted = [...rows].sort((a, b) => a.score - b.score);
  const ranks = sorted.reduce((sum, { truth }, at) => sum + (truth === 1 ? at + 1 : 0), 0);
  const bins = Array.from({ length: 10 }, (_, bin) =>
    rows.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === bin),
  );
  return {
    auc: (ranks - (relevant * (relevant + 1)) / 2) / (relevant * noise),
    macro: (f1(right, shown, relevant) + f1(hidden, rows.length - shown, noise)) / 2,
    brier: mean(rows.map(({ truth, score }) => (truth - score) ** 2)),
    chance: base * (1 - base),
    error:
      bins.reduce(
        (sum, bin) => sum + Math.abs(bin.reduce((off, { truth, score }) => off + truth - score, 0)),
        0,
      ) / rows.length,
    kept: right / relevant,
    hidden: hidden / noise,
    residual: Math.abs(
      mean(rows.filter(({ score }) => score >= 0.5).map(({ truth, score }) => truth - score)),
    ),
  };
}

const table = new Map<string, Figures[]>();
const add = (name: string, found: Figures): void => void table.set(name, [...(table.get(name) ?? []), found]);
for (const alert of alerts) {
  const one = await caseOf(alert);
  for (const count of [20, 50, 100]) {
    const decided = firstInTime(one.truths, count);
    add(`${count} in time`, figures(one, decided, scored(one, decided)));
  }
  let decided = firstInTime(one.truths, 10);
  while (decided.length < 100) {
    const scores = scored(one, decided);
    if (decided.length === 50) add('50 asked', figures(one, decided, scores));
    const known = new Set(decided);
    const open = one.truths.flatMap((_, at) => (known.has(at) ? [] : [at]));
    open.sort((a, b) => Math.abs(scores[a]! - 0.5) - Math.abs(scores[b]! - 0.5));
    const rest = 10 - (decided.length % 10);
    decided = [...decided, ...open.slice(0, rest)];
  }
  add('100 asked', figures(one, decided, scored(one, decided)));
}
for (const [name, found] of table) {
  const of = (key: keyof Figures): number => mean(found.map((one) => one[key]));
  const skill = 1 - of('brier') / of('chance');
  const sorted = found.map(({ residual }) => residual).sort((a, b) => a - b);
  console.log(
    `${name}: AUC ${of('auc').toFixed(3)}, macro F1 ${of('macro').toFixed(3)}, skill ${skill.toFixed(2)}, ECE ${of('error').toFixed(3)}, kept ${of('kept').toFixed(2)}, noise hidden ${of('hidden').toFixed(2)}, precision off by ${sorted.map((value) => value.toFixed(3)).join(' ')}`,
  );
}
