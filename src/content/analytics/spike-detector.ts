/** Measure of a series: a count of at least 0, or a mean sentiment in [-1, 1]. */
export type SpikeMeasure = 'count' | 'mean_sentiment';
/** Which deviations raise an alarm. */
export type SpikeDirection = 'up' | 'down' | 'both';

/** How a series is read. */
export interface SpikeOptions {
  /** Buckets of a day: 288 for five minutes, 24 for hours, 1 for days. */
  bucketsPerDay: number;
  measure: SpikeMeasure;
  direction: SpikeDirection;
}

/** The detector's result for one bucket. */
export interface SpikeObservation {
  /** The expected value, in the unit of the series. */
  expected: number;
  /**
   * How rare the bucket is among those of its series, as standard deviations of a normal distribution: 2.33 is one
   * bucket in 100, 3.09 one in 1,000. Negative below the expectation.
   */
  score: number;
  /** The same of this bucket by itself, without those before it that together with it are rarer. */
  own: number;
  /** Whether a spike begins here; false while an earlier alarm still covers its story. */
  alarm: boolean;
}

/** What the detector assumes of all series. `npm run -s spikes` and alerts use `SPIKE_CONSTANTS`. */
export interface SpikeConstants {
  /** Standard deviations of the noise of its counts that a spike has at least. */
  leastSize: number;
  /** A spike is rarer than one bucket in this many days. */
  rareDays: number;
  /** Half-life of the level in days: what lasts longer is the new level. */
  levelDays: number;
  /** Half-life in days of noise and tail. */
  memoryDays: number;
  /** Share of a deviation that an hour of the day or week learns from its buckets together. */
  hourRate: number;
  /** Added to counts before logarithms, below which differences are noise. */
  smallCount: number;
  /** Days without an alarm after an alarm. */
  quietDays: number;
}

/** The constants of every series that the service reads. */
export const SPIKE_CONSTANTS: Readonly<SpikeConstants> = {
  leastSize: 4,
  rareDays: 0.5,
  levelDays: 1,
  memoryDays: 14,
  hourRate: 0.2,
  smallCount: 8,
  quietDays: 0.5,
};

/** Numbers of buckets whose means are compared with their expected values: a burst may be short or last. */
const WINDOWS = [1, 2, 4, 8];
/** The level and the hours learn at most this many usual deviations from one bucket. */
const LEARNED = 2;
/** Usual deviations beyond which the tail begins, and how many of its mean excesses one bucket adds. */
const TAIL = 2;
const TAIL_LIMIT = 5;
/** How much heavier than exponential the tail is (generalised Pareto), so that bursts of bursty series are as rare as said. */
const TAIL_SHAPE = 0.2;
/** Buckets that what is assumed of the tail counts for. */
const TAIL_PRIOR = 100;
/** The least memory, level and quiet time in buckets. */
const LEAST = { level: 12, memory: 60, quiet: 2, warmUp: 12, rare: 30 };
const HOURS = 24;
const WEEKDAYS = 7;
const LEAST_HOUR_RATE = 0.02;
const LEAST_MEAN = 0.05;

/**
 * Finds spikes in a series bucket by bucket, without looking ahead; memory is constant. Expects the recent level,
 * changed by what it has learned of each hour of the day and of the week. A spike is larger than noise explains
 * (negative binomial counts) and rarer than the bursts that the series has anyway (Pareto tail of logarithms).
 */
export class SpikeDetector {
  private readonly hours = new Float64Array(HOURS);
  private readonly weekHours = new Float64Array(HOURS * WEEKDAYS);
  private readonly recent: { value: number; expected: number }[] = [];
  private readonly isCount: boolean;
  private readonly levelRate: number;
  private readonly memoryRate: number;
  private readonly hourRate: number;
  private level: number | null = null;
  /** Mean size of a deviation after the transformation. */
  private usual: number;
  /** Means of the excess of variance over that of a Poisson distribution, and of the squares of expected counts. */
  private excess = 0;
  private square = 0;
  /** Share of buckets in the tail, and the sum of what they exceed its begin by, a bucket. */
  private tailShare = 0.1;
  private tailExcess = 0.1;
  private bucket = 0;
  private lastAlarm = -Infinity;

  constructor(
    private readonly options: SpikeOptions,
    private readonly constants: Readonly<SpikeConstants> = SPIKE_CONSTANTS,
  ) {
    const { bucketsPerDay, measure } = options;
    const rate = (days: number, least: number): number =>
      1 - 0.5 ** (1 / Math.max(least, days * bucketsPerDay));
    this.isCount = measure === 'count';
    this.usual = this.isCount ? 0.4 : 0.2;
    this.levelRate = rate(constants.levelDays, LEAST.level);
    this.memoryRate = rate(constants.memoryDays, LEAST.memory);
    const { hourRate } = constants;
    this.hourRate = Math.max(LEAST_HOUR_RATE, hourRate * Math.min(1, HOURS / bucketsPerDay));
  }

  /** Reads the next bucket; null when it has no value, as the mean of nothing. */
  observe(value: number | null): SpikeObservation {
    const at = this.bucket++;
    const { bucketsPerDay } = this.options;
    const day = Math.floor(at / bucketsPerDay);
    const hour = Math.floor(((at % bucketsPerDay) / bucketsPerDay) * HOURS);
    const weekHour = (day % WEEKDAYS) * HOURS + hour;
    if (value !== null) this.level ??= this.to(value);
    const transformed = (this.level ?? this.to(0)) + this.hours[hour]! + this.weekHours[weekHour]!;
    const expected = this.from(transformed);
    if (value === null) return { expected, score: 0, own: 0, alarm: false };

    const { deviation, single, size } = this.compare(value, expected);
    const [score, own] = [this.score(deviation), this.score(single)];
    const alarm = this.raise(at, score, size);
    const residual = this.to(value) - transformed;
    const limited = Math.max(-LEARNED * this.usual, Math.min(LEARNED * this.usual, residual));
    this.learnNoise(at, residual, value, expected);
    this.learnTail(at, Math.abs(deviation));
    this.level! += this.levelRate * limited;
    this.hours[hour]! += this.hourRate * limited;
    if (day >= WEEKDAYS) this.weekHours[weekHour]! += this.hourRate * limited;
    return { expected, score, own, alarm };
  }

  /** Differences of logarithms depend little on the size of counts. */
  private to(value: number): number {
    return this.isCount ? Math.log(value + this.constants.smallCount) : value;
  }

  private from(value: number): number {
    if (!this.isCount) return Math.max(-1, Math.min(1, value));
    return Math.max(0, Math.exp(value) - this.constants.smallCount);
  }

  /** The largest deviation of the windows that end here, in usual deviations, and the largest size in its direction. */
  private compare(value: number, expected: number): { deviation: number; single: number; size: number } {
    const { direction } = this.options;
    this.recent.push({ value, expected });
    if (this.recent.length > WINDOWS.at(-1)!) this.recent.shift();
    let [deviation, single, size, values, expectations] = [0, 0, 0, 0, 0];
    for (let buckets = 1; buckets <= this.recent.length; buckets++) {
      const one = this.recent[this.recent.length - buckets]!;
      values += one.value;
      expectations += one.expected;
      if (!WINDOWS.includes(buckets)) continue;
      const difference = this.to(values / buckets) - this.to(expectations / buckets);
      const own = (difference / this.usual) * Math.sqrt(buckets);
      if (buckets === 1) single = own;
      const isWanted = direction === 'both' || own > 0 === (direction === 'up');
      if (Math.abs(own) > Math.abs(deviation) && (isWanted || buckets === 1)) deviation = own;
      if (isWanted) size = Math.max(size, this.size(values, expectations, buckets, own));
    }
    return { deviation, single, size };
  }

  /** Standard deviations from noise: for counts by the deviance, which follows their long tail. */
  private size(values: number, expectations: number, buckets: number, own: number): number {
    if (!this.isCount) return Math.abs(own) / Math.sqrt(Math.PI / 2);
    const expected = Math.max(LEAST_MEAN * buckets, expectations);
    const value = values > expected ? Math.max(expected, values - 0.5) : values;
    const shape = buckets / this.dispersion();
    const surprise = value === 0 ? 0 : value * Math.log(value / expected);
    return Math.sqrt(
      Math.max(0, 2 * (surprise - (value + shape) * Math.log((value + shape) / (expected + shape)))),
    );
  }

  /** The variance of a count is `mean + dispersion * mean²`. */
  private dispersion(): number {
    return this.square === 0 ? 0.2 : Math.max(0.005, Math.min(4, this.excess / this.square));
  }

  private score(deviation: number): number {
    const share = Math.min(0.5, this.tailShare);
    const over = Math.abs(deviation) - TAIL;
    const rarity =
      over > 0
        ? normalQuantile(Math.log(share) - Math.log1p((TAIL_SHAPE * over) / this.meanExcess()) / TAIL_SHAPE)
        : (Math.abs(deviation) / TAIL) * normalQuantile(Math.log(share));
    return rarity * Math.sign(deviation);
  }

  private meanExcess(): number {
    return Math.max(0.1, this.tailExcess / this.tailShare);
  }

  private raise(at: number, score: number, size: number): boolean {
    const { bucketsPerDay } = this.options;
    const { leastSize, rareDays, quietDays } = this.constants;
    const rare = normalQuantile(-Math.log(Math.max(LEAST.rare, rareDays * bucketsPerDay)));
    const isSpike = size > leastSize && Math.abs(score) > rare;
    const isOver = at - this.lastAlarm > Math.max(LEAST.quiet, quietDays * bucketsPerDay);
    if (!isSpike || !isOver || at <= Math.max(LEAST.warmUp, bucketsPerDay)) return false;
    this.lastAlarm = at;
    // Buckets of this story are no reason for another one.
    this.recent.length = 0;
    return true;
  }

  private learnNoise(at: number, residual: number, value: number, expected: number): void {
    const least = this.isCount ? 0.05 : 0.04;
    const limited = Math.min(Math.abs(residual), 3 * this.usual) * 1.2;
    const rate = Math.max(this.memoryRate, 1 / (at + 10));
    this.usual = Math.max(least, this.usual + rate * (limited - this.usual));
    if (!this.isCount) return;
    const mean = Math.max(LEAST_MEAN, expected);
    const variance = mean + this.dispersion() * mean * mean;
    const square = Math.min((value - mean) ** 2, 9 * variance) * 1.05;
    const first = Math.max(this.memoryRate, 1 / (at + 30));
    this.excess += first * (square - mean - this.excess);
    this.square += first * (mean * mean - this.square);
  }

  private learnTail(at: number, deviation: number): void {
    const over = Math.max(0, Math.min(deviation - TAIL, TAIL_LIMIT * this.meanExcess()));
    const rate = Math.max(this.memoryRate, 1 / (at + TAIL_PRIOR));
    this.tailShare = Math.max(0.002, this.tailShare + rate * ((over > 0 ? 1 : 0) - this.tailShare));
    this.tailExcess += rate * (over - this.tailExcess);
  }
}

/** The standard deviations that a normal value exceeds with a probability of at most 0.5, from its logarithm (error < 0.001). */
function normalQuantile(logProbability: number): number {
  const t = Math.sqrt(-2 * logProbability);
  return (
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t * t) /
      (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  );
}
