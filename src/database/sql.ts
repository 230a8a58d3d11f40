/** SQL text with numbered parameters. */
export interface Sql {
  text: string;
  parameters: unknown[];
}

/** Collects parameters as a statement is written, so that numbers and values cannot drift apart. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** The placeholder of a value. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
