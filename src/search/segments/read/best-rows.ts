/** A row of a segment with its score. */
export interface ScoredRow {
  row: number;
  score: number;
}

/** Keeps the first rows of an order by score and number, in a heap whose root is the last of them. */
export class BestRows {
  private readonly heap: ScoredRow[] = [];

  /** `limit` is at least 1; `isDescending` puts high scores and numbers first. */
  constructor(
    private readonly limit: number,
    private readonly isDescending: boolean,
  ) {}

  /** Adds a row, unless `limit` others come before it. */
  add(row: number, score: number): void {
    const { heap } = this;
    if (heap.length < this.limit) {
      heap.push({ row, score });
      this.rise(heap.length - 1);
    } else if (this.isBefore(row, score, heap[0]!)) {
      heap[0] = { row, score };
      this.sink();
    }
  }

  /** The rows that were kept, in no particular order. */
  rows(): readonly ScoredRow[] {
    return this.heap;
  }

  private isBefore(row: number, score: number, other: ScoredRow): boolean {
    const difference = score - other.score || row - other.row;
    return this.isDescending ? difference > 0 : difference < 0;
  }

  private rise(start: number): void {
    for (let at = start; at > 0;) {
      const parent = (at - 1) >>> 1;
      const { row, score } = this.heap[parent]!;
      if (!this.isBefore(row, score, this.heap[at]!)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      let last = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < this.heap.length; child += 1) {
        const { row, score } = this.heap[last]!;
        if (this.isBefore(row, score, this.heap[child]!)) last = child;
      }
      if (last === at) return;
      this.swap(at, last);
      at = last;
    }
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
  }
}
