import { IntList } from './int-list.js';

const NONE = -1;

/** Which alerts have a keyword, in flat arrays in which the entries of one keyword are neighbours. */
export class Postings {
  /** By keyword: index of its first entry; the next keyword's first entry is the end. Set by {@link seal}. */
  starts = new Int32Array(1);
  /** By entry: number of an alert with the keyword. */
  alerts = new Int32Array(0);
  /** By entry: the keyword as written in the alert. */
  spellings: string[] = [];

  private readonly added = { keywords: new IntList(), alerts: new IntList(), spellings: [] as string[] };
  /** By keyword: the latest alert with it. */
  private readonly latest = new IntList();

  get size(): number {
    return this.added.spellings.length;
  }

  /**
   * Adds an entry. Keywords and alerts are numbered from 0; all keywords of an alert must be added before the next
   * alert.
   */
  add(keyword: number, alert: number, spelling: string): void {
    while (this.latest.length <= keyword) this.latest.push(NONE);
    // Two spellings of one keyword in the same alert are reported as the first.
    if (this.latest.values[keyword] === alert) return;
    this.latest.values[keyword] = alert;
    this.added.keywords.push(keyword);
    this.added.alerts.push(alert);
    this.added.spellings.push(spelling);
  }

  /** Sorts the entries by keyword, once all have been added. */
  seal(): void {
    const { keywords, alerts, spellings } = this.added;
    this.starts = new Int32Array(this.latest.length + 1);
    for (let entry = 0; entry < this.size; entry += 1) this.starts[keywords.values[entry]! + 1]! += 1;
    for (let keyword = 0; keyword < this.latest.length; keyword += 1)
      this.starts[keyword + 1]! += this.starts[keyword]!;
    const free = this.starts.slice();
    this.alerts = new Int32Array(this.size);
    this.spellings = new Array<string>(this.size).fill('');
    for (let entry = 0; entry < this.size; entry += 1) {
      const place = free[keywords.values[entry]!]!++;
      this.alerts[place] = alerts.values[entry]!;
      this.spellings[place] = spellings[entry]!;
    }
  }
}
