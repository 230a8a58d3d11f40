import pg from 'pg';

/** SQL text with numbered parameters. */
export interface Sql {
  text: string;
  parameters: unknown[];
}

/** Collects parameters while a statement is built, so that numbers and values cannot diverge. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * The statement with its values as literals in the text, for commands such as COPY that accept no parameters. Throws a
 * TypeError unless every value is a string, a number or a boolean.
 */
export function withLiterals({ text, parameters }: Sql): string {
  return text.replace(/\$(\d+)/g, (placeholder) => {
    const value = parameters[Number(placeholder.slice(1)) - 1];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new TypeError(`${placeholder} has a ${typeof value} in place of text, a number or true or false`);
    return pg.escapeLiteral(String(value));
  });
}
