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
  /** Deviation in standard deviations; negative below the expectation. */
  score: number;
  /** Whether a spike begins here; false while an earlier alarm still covers its story. */
  alarm: boolean;
}

/** A bucket this many standard deviations from the expectation raises an alarm. */
const THRESHOLD = 5;
/** An alarm must also exceed this share of the largest score of the recent past. */
const SHARE_OF_RECORD = 0.8;
/** The mean of this many buckets is compared with their expected values, its deviation multiplied by the gain. */
const SHORT = 2;
const SHORT_GAIN = 1.3;
/** Deviations are limited to this many standard deviations before anything is learned from them. */
const LIMIT = 3;
/** Corrects the variance for the limit. */
const VARIANCE_GAIN = 1.1;
/** Share of the variance that a bucket replaces during the first day. */
const FIRST_VARIANCE_RATE = 0.02;

/** Durations in days, with their minimum in buckets. */
const LEVEL_HALF_LIFE = { days: 1 / 3, least: 12 };
const VARIANCE_HALF_LIFE = { days: 7, least: 30 };
const RECORD_HALF_LIFE = { days: 14, least: 30 };
const WARM_UP = { days: 1, least: 12 };
const QUIET_AFTER_ALARM = { days: 2, least: 2 };

const HOURS = 24;
const WEEKDAYS = 7;
/** Share of a deviation that an hour of the day or week learns from its buckets together; the least for one bucket. */
const HOUR_RATE = 0.24;
const LEAST_HOUR_RATE = 0.02;

/** How values are transformed so that their variance depends little on their size. */
interface Scale {
  to(value: number): number;
  from(value: number): number;
  variance: number;
  leastVariance: number;
}
const SCALES: Readonly<Record<SpikeMeasure, Scale>> = {
  count: {
    to: (value) => Math.log(value + 4),
    from: (value) => Math.max(0, Math.exp(value) - 4),
    variance: 0.5,
    leastVariance: 0.04,
  },
  mean_sentiment: {
    to: (value) => value,
    from: (value) => Math.max(-1, Math.min(1, value)),
    variance: 0.1,
    leastVariance: 0.0025,
  },
};

/**
 * Finds spikes in a series bucket by bucket, without looking ahead. Expects the recent level, changed by what it has
 * learned of each hour of the day and of the week; memory is constant. All series share the constants above.
 */
export class SpikeDetector {
  private readonly scale: Scale;
  private readonly hours = new Float64Array(HOURS);
  private readonly weekHours = new Float64Array(HOURS * WEEKDAYS);
  private readonly recent: { value: number; expected: number }[] = [];
  private readonly hourRate: number;
  private readonly levelRate: number;
  private readonly varianceRate: number;
  private readonly recordDecay: number;
  private readonly warmUp: number;
  private readonly quiet: number;
  private level: number | null = null;
  private variance: number;
  private record = 0;
  private bucket = 0;
  private lastAlarm = -Infinity;

  constructor(private readonly options: SpikeOptions) {
    const { bucketsPerDay, measure } = options;
    this.scale = SCALES[measure];
    this.variance = this.scale.variance;
    const buckets = ({ days, least }: { days: number; least: number }): number =>
      Math.max(least, days * bucketsPerDay);
    const rate = (halfLife: number): number => 1 - 0.5 ** (1 / halfLife);
    this.levelRate = rate(buckets(LEVEL_HALF_LIFE));
    this.varianceRate = rate(buckets(VARIANCE_HALF_LIFE));
    this.recordDecay = 1 - rate(buckets(RECORD_HALF_LIFE));
    this.warmUp = buckets(WARM_UP);
    this.quiet = buckets(QUIET_AFTER_ALARM);
    this.hourRate = Math.max(LEAST_HOUR_RATE, Math.min(HOUR_RATE, (HOUR_RATE * HOURS) / bucketsPerDay));
  }

  /** Reads the next bucket; null when it has no value, as the mean of nothing. */
  observe(value: number | null): SpikeObservation {
    const at = this.bucket++;
    const { bucketsPerDay } = this.options;
    const day = Math.floor(at / bucketsPerDay);
    const hour = Math.floor(((at % bucketsPerDay) / bucketsPerDay) * HOURS);
    const weekHour = (day % WEEKDAYS) * HOURS + hour;
    const season = this.hours[hour]! + this.weekHours[weekHour]!;
    if (value === null) {
      return { expected: this.scale.from((this.level ?? this.scale.to(0)) + season), score: 0, alarm: false };
    }
    const transformed = this.scale.to(value);
    this.level ??= transformed;
    const expected = this.level + season;
    const deviation = Math.sqrt(this.variance);
    const residual = transformed - expected;
    const score = this.score(value, expected, residual / deviation, deviation);
    const alarm = at > this.warmUp && this.raise(at, score);
    const limited = Math.max(-LIMIT * deviation, Math.min(LIMIT * deviation, residual));
    this.learnVariance(at, residual);
    this.level += this.levelRate * limited;
    this.hours[hour]! += this.hourRate * limited;
    if (day >= WEEKDAYS) this.weekHours[weekHour]! += this.hourRate * limited;
    return { expected: this.scale.from(expected), score, alarm };
  }

  /** The larger deviation of the bucket and of the last buckets together. */
  private score(value: number, expected: number, own: number, deviation: number): number {
    this.recent.push({ value, expected });
    if (this.recent.length > SHORT) this.recent.shift();
    if (this.recent.length < SHORT) return own;
    const mean = (of: 'value' | 'expected'): number =>
      this.recent.reduce((sum, bucket) => sum + bucket[of], 0) / SHORT;
    const short = ((this.scale.to(mean('value')) - mean('expected')) / deviation) * SHORT_GAIN;
    return Math.abs(short) > Math.abs(own) ? short : own;
  }

  private raise(at: number, score: number): boolean {
    const { direction } = this.options;
    const size = direction === 'up' ? score : direction === 'down' ? -score : Math.abs(score);
    const exceeds = size > Math.max(THRESHOLD, this.record * SHARE_OF_RECORD);
    this.record = Math.max(this.record * this.recordDecay, size);
    if (!exceeds || at - this.lastAlarm <= this.quiet) return false;
    this.lastAlarm = at;
    return true;
  }

  private learnVariance(at: number, residual: number): void {
    const rate = at < this.options.bucketsPerDay ? FIRST_VARIANCE_RATE : this.varianceRate;
    const square = Math.min(residual * residual, LIMIT * LIMIT * this.variance) * VARIANCE_GAIN;
    this.variance = Math.max(this.scale.leastVariance, this.variance + rate * (square - this.variance));
  }
}
