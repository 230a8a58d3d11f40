import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { sharedPath, withShared } from '../../../test/support/shared-folder.js';
import { SpikeDetector, type SpikeOptions } from './spike-detector.js';

const FIVE_MINUTES: SpikeOptions = { bucketsPerDay: 288, measure: 'count', direction: 'up' };
const HOURS: SpikeOptions = { ...FIVE_MINUTES, bucketsPerDay: 24 };

function alarmsOf(values: readonly (number | null)[], options: SpikeOptions): number[] {
  const detector = new SpikeDetector(options);
  return values.flatMap((value, at) => (detector.observe(value).alarm ? [at] : []));
}

/** Counts around `rate` with a rhythm of day and week (negative binomial unless `shape` is infinite), the same for a seed. */
function noise(rate: number, perDay: number, days: number, seed: number, shape = Infinity): number[] {
  const random = randomFrom(seed);
  return Array.from({ length: perDay * days }, (_zero, at) => {
    const day = at / perDay;
    const daily = 1 + 0.7 * Math.sin(2 * Math.PI * ((day % 1) - 0.3));
    let chance = shape === Infinity ? 1 : 0;
    for (let n = 0; n < shape && shape !== Infinity; n++) chance -= Math.log(random()) / shape;
    return poisson(rate * chance * daily * (Math.floor(day) % 7 >= 5 ? 0.5 : 1.1), random);
  });
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

function poisson(rate: number, random: () => number): number {
  if (rate > 60) {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(rate + Math.sqrt(rate) * normal));
  }
  let count = -1;
  for (let product = 1; product > Math.exp(-rate); count++) product *= random();
  return Math.max(0, count);
}

describe('SpikeDetector', () => {
  it.each([0.2, 1, 3, 10, 50, 300, 3_000])(
    'raises at most one alarm in two weeks of noise with a rhythm, at a mean of %s',
    (rate) => {
      for (const seed of [1, 2, 3])
        for (const shape of [3, Infinity]) {
          expect(alarmsOf(noise(rate, 288, 70, seed, shape), FIVE_MINUTES).length).toBeLessThanOrEqual(5);
          expect(alarmsOf(noise(rate, 24, 210, seed, shape), HOURS).length).toBeLessThanOrEqual(15);
        }
    },
  );

  it.each([
    ['days', { ...FIVE_MINUTES, bucketsPerDay: 1 }],
    ['hours', HOURS],
  ])('raises no second alarm because of a burst of which only %s before are part', (_, options) => {
    const series = Array.from({ length: 60 * options.bucketsPerDay }, (_zero, at) => at % 2);
    series[40 * options.bucketsPerDay] = 121;
    expect(alarmsOf(series, options)).toEqual([40 * options.bucketsPerDay]);
  });

  it('gives scores that say how rare a bucket is, on noise and where there are bursts', () => {
    const bursts = noise(10, 24, 800, 4, 3);
    for (let at = 100; at < bursts.length; at += 150)
      for (let after = 0; after < 5; after++) bursts[at + after]! += (30 * (1 + (at % 7))) / (after + 1);
    for (const values of [noise(10, 24, 800, 3, 3), noise(10, 24, 800, 3), bursts]) {
      const detector = new SpikeDetector(HOURS);
      const scores = values.map((value) => detector.observe(value).score).slice(24 * 28);
      const rarer = (score: number): number => scores.filter((one) => one > score).length / scores.length;
      expect(rarer(2.33)).toBeLessThan(0.02);
      expect(rarer(3.09)).toBeLessThan(0.004);
      expect(rarer(1.28)).toBeGreaterThan(0.02);
    }
  });

  it('raises one alarm in the first bucket of a spike', () => {
    const values = noise(10, 24, 30, 5);
    const start = 24 * 25 + 9;
    for (let at = start; at < start + 6; at++) values[at]! += 120;
    expect(alarmsOf(values, HOURS)).toEqual([start]);
  });

  it('expects the usual hours of a day once it has seen them', () => {
    const detector = new SpikeDetector(HOURS);
    const usual = (at: number): number => (at % 24 === 9 ? 200 : 10);
    for (let at = 0; at < 24 * 60; at++) detector.observe(usual(at));
    const expected = Array.from({ length: 24 }, (_zero, at) => detector.observe(usual(at)).expected);
    expect(expected[9]! / expected[8]!).toBeGreaterThan(5);
    expect(Math.abs(detector.observe(10).score)).toBeLessThan(3);
  });

  it('finds a rise of mean sentiment only in the direction asked for', () => {
    const random = randomFrom(9);
    const values: (number | null)[] = Array.from({ length: 24 * 20 }, (_zero, at) =>
      at % 7 === 0 ? null : 0.1 + 0.1 * (random() - 0.5),
    );
    for (let at = 24 * 15; at < 24 * 15 + 4; at++) values[at] = -0.7;
    const at = [24 * 15, 24 * 15 + 1];
    const options = { bucketsPerDay: 24, measure: 'mean_sentiment' } as const;
    expect(alarmsOf(values, { ...options, direction: 'up' })).toEqual([]);
    expect(at).toContain(alarmsOf(values, { ...options, direction: 'down' })[0]);
    expect(at).toContain(alarmsOf(values, { ...options, direction: 'both' })[0]);
  });

  it('does not look ahead', () => {
    const values = noise(5, 288, 20, 3);
    values[4_000] = 400;
    expect(alarmsOf(values.slice(0, 4_001), FIVE_MINUTES)).toEqual(
      alarmsOf(values, FIVE_MINUTES).filter((at) => at <= 4_000),
    );
  });
});

interface Scorer {
  normalised(series: { rows: number; windows: number[][]; alarms: number[] }[]): number;
}

withShared('spikes').describe('spikes of labelled series of mentions', () => {
  it('score at least 75 as the Numenta Anomaly Benchmark counts', async () => {
    const { normalised } = (await import(pathToFileURL(sharedPath('spikes/score.mjs')).href)) as Scorer;
    const { windows } = JSON.parse(readFileSync(sharedPath('spikes/windows.json'), 'utf8')) as {
      windows: Record<string, number[][]>;
    };
    const series = Object.entries(windows).map(([name, labelled]) => {
      const lines = gunzipSync(readFileSync(sharedPath('spikes', `${name}.csv.gz`)))
        .toString('utf8')
        .trim()
        .split('\n');
      const values = lines.slice(1).map((line) => Number(line.split(',')[1]));
      return { rows: values.length, windows: labelled, alarms: alarmsOf(values, FIVE_MINUTES) };
    });
    expect(normalised(series)).toBeGreaterThanOrEqual(75);
  });
});
