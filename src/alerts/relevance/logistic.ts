import { probability } from '../../common/probability.js';
import { solve } from './matrices.js';
import { type Counts, dot } from './text-reader.js';

/** Examples with their weights; a target is 1 or 0. */
interface Examples<Row> {
  rows: readonly Row[];
  targets: readonly number[];
  weights: readonly number[];
}

/** Where a weight is expected before any example, and how firmly (the inverse variance). */
export interface Expectation {
  mean: number;
  precision: number;
}

const NEWTON_STEPS = 12;
const INTERCEPT: Expectation = { mean: 0, precision: 0.01 };

/** Weights of a logistic regression, the last one its intercept, by Newton's method. */
export function fitDense(
  { rows, targets, weights }: Examples<Float64Array>,
  expected: readonly Expectation[],
): Float64Array {
  const expectations = [...expected, INTERCEPT];
  const size = expectations.length;
  const fitted = Float64Array.from(expectations, ({ mean }) => mean);
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const gradient = fitted.map(
      (value, at) => expectations[at]!.precision * (value - expectations[at]!.mean),
    );
    const curvature = new Float64Array(size * size);
    expectations.forEach(({ precision }, at) => (curvature[at * size + at] = precision));
    rows.forEach((row, example) => {
      const estimate = probability(valueAt(row, fitted));
      const error = weights[example]! * (estimate - targets[example]!);
      const curve = weights[example]! * Math.max(estimate * (1 - estimate), 1e-6);
      for (let one = 0; one < size; one += 1) {
        const value = one < row.length ? row[one]! : 1;
        gradient[one]! += error * value;
        for (let two = 0; two <= one; two += 1)
          curvature[one * size + two]! += curve * value * (two < row.length ? row[two]! : 1);
      }
    });
    const change = solve(curvature, gradient);
    change.forEach((value, at) => (fitted[at]! -= value));
    if (change.every((value) => Math.abs(value) < 1e-4)) break;
  }
  return fitted;
}

/** The logit of a row. */
export function valueAt(row: Float64Array, fitted: Float64Array): number {
  let sum = fitted[row.length]!;
  for (let at = 0; at < row.length; at += 1) sum += row[at]! * fitted[at]!;
  return sum;
}

const GRADIENT_STEPS = 150;

/** Weights by bucket of a logistic regression over rows of length 1, by accelerated gradients; the intercept is left out. */
export function fitSparse(
  { rows, targets, weights }: Examples<Counts>,
  size: number,
  precision: number,
): Float64Array {
  const used = Int32Array.from(new Set(rows.flatMap(({ buckets }) => [...buckets])));
  const rate = 1 / (weights.reduce((a, b) => a + b, 0) / 2 + precision);
  const [fitted, ahead] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  let pace = 1;
  for (let step = 0; step < GRADIENT_STEPS; step += 1) {
    const gradient = new Float64Array(size + 1);
    rows.forEach((row, example) => {
      const error = weights[example]! * (probability(dot(row, ahead) + ahead[size]!) - targets[example]!);
      row.buckets.forEach((bucket, at) => (gradient[bucket]! += error * row.weights[at]!));
      gradient[size]! += error;
    });
    const next = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
    const momentum = (pace - 1) / next;
    pace = next;
    const move = (at: number, firmness: number): void => {
      const value = ahead[at]! - rate * (gradient[at]! + firmness * ahead[at]!);
      ahead[at] = value + momentum * (value - fitted[at]!);
      fitted[at] = value;
    };
    for (const bucket of used) move(bucket, precision);
    move(size, 0);
  }
  return fitted.subarray(0, size);
}
