/** Stands in place of a forum's number for alerts that watch all of them. */
export const EVERY_FORUM = -1;

/** One keyword of one alert for one forum. */
export interface Posting {
  keyword: number;
  alert: number;
  /** As the alert's owner wrote the keyword. */
  spelling: string;
  forum: number;
}

/** Which alerts hold a keyword, in flat arrays: a match touches a few neighbouring numbers and no object. */
export class Postings {
  /** Where a keyword's entries begin in the other arrays; its successor's beginning is their end. */
  readonly starts: Int32Array;
  readonly alerts: Int32Array;
  readonly forums: Int32Array;
  readonly spellings: readonly string[];

  constructor(keywords: number, postings: readonly Posting[]) {
    const sorted = [...postings].sort((a, b) => a.keyword - b.keyword);
    this.alerts = Int32Array.from(sorted, ({ alert }) => alert);
    this.forums = Int32Array.from(sorted, ({ forum }) => forum);
    this.spellings = sorted.map(({ spelling }) => spelling);
    this.starts = new Int32Array(keywords + 1);
    for (const { keyword } of sorted) this.starts[keyword + 1]! += 1;
    for (let keyword = 0; keyword < keywords; keyword += 1)
      this.starts[keyword + 1]! += this.starts[keyword]!;
  }
}
