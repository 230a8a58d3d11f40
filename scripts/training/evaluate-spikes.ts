/**
 * `node dist/scripts/training/evaluate-spikes.js FOLDER`: the score of the spike detector by leave-one-series-out.
 * FOLDER is a checkout of github.com/numenta/NAB. For each series the constants are chosen by the mean over the kinds of
 * all other series; what follows from the series left out is left out with it. A minute or two.
 */
import {
  SPIKE_CONSTANTS,
  SpikeDetector,
  type SpikeConstants,
} from '../../src/content/analytics/spike-detector.js';
import { coarser, generated, type LabelledSeries, points, readBenchmark, thinned } from './spike-sets.js';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('evaluate-spikes: give the folder of the benchmark');
  process.exit(2);
}

const read = readBenchmark(folder);
const mentions = read.filter(({ kind }) => kind === 'mentions');
const series = [
  ...read.filter(({ kind }) => !kind.startsWith('artificial')),
  ...mentions.flatMap((one) => [thinned(one, 0.3), thinned(one, 0.1), coarser(one, 3), coarser(one, 12)]),
  ...Array.from({ length: 16 }, (_zero, seed) => generated(seed, 288, 55)),
  ...Array.from({ length: 20 }, (_zero, seed) => generated(100 + seed, 24, 120)),
];
const kinds = [...new Set(series.map(({ kind }) => kind))];
/** Mentions rise; other metrics of the benchmark also fall. */
const direction = ({ kind }: LabelledSeries) => (/^(mentions|generated)/.test(kind) ? 'up' : 'both');

function alarmsOf(one: LabelledSeries, constants: SpikeConstants): { alarms: number[]; rare: number } {
  const { bucketsPerDay } = one;
  const detector = new SpikeDetector(
    { bucketsPerDay, measure: 'count', direction: direction(one) },
    constants,
  );
  let rare = 0;
  const alarms = one.values.flatMap((value, at) => {
    const { alarm, score } = detector.observe(value);
    if (Math.abs(score) > 2.326) rare++;
    return alarm ? [at] : [];
  });
  return { alarms, rare };
}

const grid: SpikeConstants[] = [3.5, 4, 4.5, 5].flatMap((leastSize) =>
  [0.35, 0.5, 0.7, 1].flatMap((rareDays) =>
    [0.5, 1].flatMap((levelDays) =>
      [6, 8, 12].map((smallCount) => ({ ...SPIKE_CONSTANTS, leastSize, rareDays, levelDays, smallCount })),
    ),
  ),
);
const tried = grid.map((constants) => series.map((one) => points(one, alarmsOf(one, constants).alarms)));
const rare = series.map((one) => alarmsOf(one, SPIKE_CONSTANTS).rare);

const percent = (all: readonly [number, number][]): number =>
  (100 * all.reduce((sum, [got]) => sum + got, 0)) / all.reduce((sum, [, most]) => sum + most, 0);
const ofKind = (all: readonly [number, number][], kind: string, without?: string) =>
  all.filter((_one, at) => series[at]!.kind === kind && series[at]!.name !== without);

/** The points of a series with the constants that are best for all others. */
function leftOut(at: number): [number, number] {
  const { name } = series[at]!;
  const worth = (all: readonly [number, number][]): number =>
    kinds.reduce((sum, kind) => sum + percent(ofKind(all, kind, name)), 0);
  return tried.reduce((best, all) => (worth(all) > worth(best) ? all : best))[at]!;
}
const unseen = series.map((_one, at) => leftOut(at));

console.log(
  '| Series | number | left out | of each series | shipped constants | rarer than 1 % |\n|---|---|---|---|---|---|',
);
for (const kind of kinds) {
  const of = series.flatMap((one, at) => (one.kind === kind ? [at] : []));
  const each = of.filter((at) => series[at]!.windows.length > 0).map((at) => percent([unseen[at]!]));
  const sorted = each.sort((a, b) => a - b).map((value) => value.toFixed(0));
  const rows = of.reduce((sum, at) => sum + series[at]!.values.length, 0);
  const shown = of.reduce((sum, at) => sum + rare[at]!, 0);
  console.log(
    `| ${kind} | ${of.length} | ${percent(ofKind(unseen, kind)).toFixed(1)} | ${sorted[0]} to ${sorted.at(-1)}, median ${sorted[sorted.length >> 1]} | ${((100 * shown) / rows).toFixed(1)} % |`,
  );
}
