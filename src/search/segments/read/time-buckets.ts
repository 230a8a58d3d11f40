import type { Column } from '../format/segment-blocks.js';

/** Length of a slot in microseconds: time zone offsets are mostly multiples of a quarter of an hour. */
const SLOT = 900_000_000;
/** Maximum number of slots in the lookup table, about 28 years. */
const MAX_SLOTS = 1_000_000;

const slotOf = (time: number): number => Math.floor(time / SLOT);

/** Slots of the times of a column, which every time series needs. They live as long as the column. */
const SLOTS = new WeakMap<Column, Int32Array>();

function slotsOf(times: Column): Int32Array {
  let slots = SLOTS.get(times);
  if (slots === undefined) {
    slots = new Int32Array(times.length);
    for (let row = 0; row < times.length; row += 1) slots[row] = slotOf(times[row]!);
    SLOTS.set(times, slots);
  }
  return slots;
}

/** The number of rows of each bucket, and the sum of their values. */
export interface BucketSums {
  counts: Float64Array;
  sums: Float64Array;
}

/** Finds the buckets of times, which must not be before the first bucket. */
export class TimeBuckets {
  private readonly firstSlot: number;
  /** The bucket that contains the beginning of each slot; the first one for a slot that begins before it. */
  private readonly table: Uint16Array;
  /** Whether no bucket begins within a slot or after the slots of the table. */
  private readonly isExact: boolean;

  /** `starts` are the times at which the buckets begin, in ascending order. */
  constructor(private readonly starts: readonly number[]) {
    this.firstSlot = slotOf(starts[0] ?? 0);
    const slots = slotOf(starts.at(-1) ?? 0) - this.firstSlot + 1;
    this.isExact = slots <= MAX_SLOTS && starts.every((start) => start % SLOT === 0);
    this.table = new Uint16Array(Math.min(MAX_SLOTS, slots));
    for (let slot = 0, bucket = 0; slot < this.table.length; slot += 1)
      this.table[slot] = bucket = this.advance(bucket, (this.firstSlot + slot) * SLOT);
  }

  /** The bucket of a time. */
  of(time: number): number {
    return this.bucketIn(slotOf(time), time);
  }

  /**
   * Adds the first `count` of `rows`, whose times are in `times`, to `counts` by bucket, and their numbers in `values` to
   * `sums`, in the order of the rows. While the slot stays the same, which is common for neighbouring ids, numbers are
   * added outside the arrays, which takes half the time.
   */
  addRows(
    { times, values }: { times: Column; values: Column },
    rows: Uint16Array,
    count: number,
    { counts, sums }: BucketSums,
  ): void {
    const slots = slotsOf(times);
    const { isExact } = this;
    // No time is before the first slot.
    let slot = this.firstSlot - 1;
    let bucket = 0;
    let counted = counts[bucket]!;
    let sum = sums[bucket]!;
    for (let index = 0; index < count; index += 1) {
      const row = rows[index]!;
      if (slots[row] !== slot || !isExact) {
        counts[bucket] = counted;
        sums[bucket] = sum;
        slot = slots[row]!;
        bucket = this.bucketIn(slot, times[row]!);
        counted = counts[bucket]!;
        sum = sums[bucket]!;
      }
      counted += 1;
      sum += values[row]!;
    }
    counts[bucket] = counted;
    sums[bucket] = sum;
  }

  private bucketIn(slot: number, time: number): number {
    const bucket = this.table[Math.min(this.table.length - 1, slot - this.firstSlot)]!;
    return this.isExact ? bucket : this.advance(bucket, time);
  }

  /** The last bucket from `bucket` on that begins at a time or before it. */
  private advance(bucket: number, time: number): number {
    let last = bucket;
    while (last + 1 < this.starts.length && this.starts[last + 1]! <= time) last += 1;
    return last;
  }
}
