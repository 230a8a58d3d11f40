/** A growing list of 32-bit integers in one block of memory: half the size of an array, so fewer cache misses. */
export class IntList {
  /** The numbers, {@link length} of them, followed by unused places. Replaced when the list grows. */
  values = new Int32Array(64);
  length = 0;

  /** Appends a number; returns its index. */
  push(value: number): number {
    if (this.length === this.values.length) {
      const values = new Int32Array(2 * this.length);
      values.set(this.values);
      this.values = values;
    }
    this.values[this.length] = value;
    this.length += 1;
    return this.length - 1;
  }
}
