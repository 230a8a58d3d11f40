/**
 * Labelled series for the spike detector: those of a checkout of the Numenta Anomaly Benchmark, what follows from
 * them, and generated ones.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A series of buckets, with the first and last row of each labelled window. */
export interface LabelledSeries {
  name: string;
  kind: string;
  bucketsPerDay: number;
  values: number[];
  windows: [number, number][];
}

/** The series of mentions that may be used; the others of their category are held out. */
const MENTIONS = new Set(['AAPL', 'CRM', 'FB', 'IBM', 'PFE'].map((name) => `Twitter_volume_${name}.csv`));
const DAY_MS = 86_400_000;
/** Rows before which alarms do not count, as that benchmark has it. */
const probation = (rows: number): number => Math.min(Math.floor(0.15 * rows), 750);

const timeOf = (text: string): number => Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`);

/** Reads the series of a checkout. Those that do not count are scaled so that their first rows are about 100. */
export function readBenchmark(folder: string): LabelledSeries[] {
  const labels = JSON.parse(readFileSync(join(folder, 'labels/combined_windows.json'), 'utf8')) as Record<
    string,
    [string, string][]
  >;
  return readdirSync(join(folder, 'data'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: kind }) =>
      readdirSync(join(folder, 'data', kind))
        .filter((file) => kind !== 'realTweets' || MENTIONS.has(file))
        .map((file) => readSeries(folder, kind, file, labels[`${kind}/${file}`] ?? [])),
    );
}

function readSeries(folder: string, kind: string, file: string, labels: [string, string][]): LabelledSeries {
  const lines = readFileSync(join(folder, 'data', kind, file), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1);
  const rows = lines.map((line) => line.split(','));
  const times = rows.map(([time]) => timeOf(time!));
  const steps = times.slice(1).map((time, at) => time - times[at]!);
  const step = steps.sort((a, b) => a - b)[steps.length >> 1]!;
  const values = rows.map(([, value]) => Number(value));
  return {
    name: file.replace(/^Twitter_volume_|\.csv$/g, ''),
    kind: kind === 'realTweets' ? 'mentions' : kind,
    bucketsPerDay: Math.max(1, Math.round(DAY_MS / step)),
    values: kind === 'realTweets' ? values : scaled(values),
    windows: labels.map(([from, to]) => [
      times.findIndex((time) => time >= timeOf(from)),
      times.findLastIndex((time) => time <= timeOf(to)),
    ]),
  };
}

function scaled(values: readonly number[]): number[] {
  const least = values.reduce((a, b) => Math.min(a, b), 0);
  const first = values.slice(0, Math.max(10, probation(values.length))).sort((a, b) => a - b);
  const usual = first[first.length >> 1]! - least || 1;
  return values.map((value) => ((value - least) / usual) * 100);
}

/** The same mentions read by a rarer word: each is kept with a probability. */
export function thinned(series: LabelledSeries, share: number): LabelledSeries {
  const random = randomFrom(series.values.length);
  const keep = (count: number): number => {
    let kept = 0;
    for (let n = 0; n < count; n++) if (random() < share) kept++;
    return kept;
  };
  return { ...series, kind: `mentions, ${share * 100} %`, values: series.values.map(keep) };
}

/** The same mentions in buckets of several rows. */
export function coarser(series: LabelledSeries, rows: number): LabelledSeries {
  const values = Array.from({ length: Math.floor(series.values.length / rows) }, (_zero, at) =>
    series.values.slice(at * rows, (at + 1) * rows).reduce((a, b) => a + b, 0),
  );
  return {
    ...series,
    kind: `mentions, ${rows * 5} minutes`,
    bucketsPerDay: series.bucketsPerDay / rows,
    values,
    windows: series.windows.map(([from, to]) => [
      Math.floor(from / rows),
      Math.min(values.length - 1, Math.floor(to / rows)),
    ]),
  };
}

/** Negative binomial counts with a rhythm of day and week, drift and silences, and one to four bursts that decay. */
export function generated(seed: number, bucketsPerDay: number, days: number): LabelledSeries {
  const random = randomFrom(seed);
  const rows = bucketsPerDay * days;
  const base = 0.3 * 700 ** random();
  const shape = 1 + 20 * random();
  const [amplitude, phase, weekend, drift] = [1.2 * random(), random(), 0.4 + 0.6 * random(), random()];
  const silence = rows * (0.3 + 0.5 * random());
  const rates = Array.from({ length: rows }, (_zero, at) => {
    const day = at / bucketsPerDay;
    const daily = Math.exp(amplitude * Math.cos(2 * Math.PI * (day - phase)) + (drift * at) / rows);
    const isSilent = at > silence && at < silence + bucketsPerDay * 2 * drift;
    return base * daily * (Math.floor(day) % 7 >= 5 ? weekend : 1) * (isSilent ? 0.03 : 1);
  });
  const bursts = Array.from({ length: 1 + Math.floor(4 * random()) }, (_zero, n, count = 4) =>
    Math.floor(rows * (0.17 + (0.8 * (n + random())) / count)),
  );
  for (const start of bursts) {
    const size =
      (base + 1) * Math.min(60, 3.5 * (random() + 0.001) ** (-1 / 1.5)) * (1 + 3 / Math.sqrt(base + 1));
    const decay = 1 + (12 * random() ** 2 * bucketsPerDay) / 288;
    for (let at = 0; at < decay * 8 && start + at < rows; at++)
      rates[start + at]! += size * Math.exp(-at / decay);
  }
  const half = Math.floor((0.05 * rows) / bursts.length);
  return {
    name: `seed ${seed}`,
    kind: `generated, ${bucketsPerDay} a day`,
    bucketsPerDay,
    values: rates.map((rate) => poisson((rate * gamma(shape, random)) / shape, random)),
    windows: bursts.map((at) => [Math.max(0, at - half), Math.min(rows - 1, at + half)]),
  };
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());

function poisson(rate: number, random: () => number): number {
  if (rate > 60) return Math.max(0, Math.round(rate + Math.sqrt(rate) * normal(random)));
  let count = -1;
  for (let product = 1; product > Math.exp(-rate); count++) product *= random();
  return Math.max(0, count);
}

/** Wilson and Hilferty's approximation; the shape is at least 1. */
function gamma(shape: number, random: () => number): number {
  const part = 1 / (9 * shape);
  return shape * Math.max(0, 1 - part + normal(random) * Math.sqrt(part)) ** 3;
}

const near = (x: number): number => 2 / (1 + Math.exp(5 * x)) - 1;
const FALSE_ALARM = 0.11;

/** Points of a series and the most that it can have, as the benchmark's standard profile counts them. */
export function points({ values, windows }: LabelledSeries, alarms: readonly number[]): [number, number] {
  const found = windows.map(() => 0);
  let sum = 0;
  for (const at of alarms.filter((row) => row >= probation(values.length))) {
    const window = windows.findIndex(([from, to]) => at >= from && at <= to);
    if (window >= 0) {
      const [from, to] = windows[window]!;
      found[window] = Math.max(found[window]!, 1 + near(-(to - at + 1) / (to - from + 1)) / near(-1));
    } else {
      const before = windows.filter(([, to]) => to < at).at(-1);
      const distance = before ? (at - before[1]) / (before[1] - before[0]) : Infinity;
      sum += FALSE_ALARM * (distance > 3 ? -1 : near(distance));
    }
  }
  return [sum + found.reduce((a, b) => a + b, 0), 2 * windows.length];
}
