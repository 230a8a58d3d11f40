import type { Call } from './command.js';

/** Longest cell of a table in characters. */
const MAX_CELL = 80;

/** Characters that control a terminal or the direction of text. */
const CONTROL = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of strangers as one line that cannot control the terminal. */
export const printable = (text: string): string => text.replace(CONTROL, ' ');

/** JSON on one line without characters that control a terminal. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Writes a line, and waits while the reader is slower. */
export function writeLine(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => (error ? reject(error) : resolve());
    stream.write(`${text}\n`, done);
  });
}

/** Prints records as JSON, one a line, or as a table with these columns; `isContinued` leaves out its heading. */
export async function printRecords<T>(
  { json, terminal }: Call,
  records: readonly T[],
  columns: Record<string, (record: T) => string | number | null>,
  { isContinued = false }: { isContinued?: boolean } = {},
): Promise<void> {
  if (json) {
    for (const record of records) await writeLine(terminal.stdout, jsonText(record));
    return;
  }
  const cells = records.map((record) => Object.values(columns).map((cell) => cellText(cell(record))));
  await writeLine(terminal.stdout, tableOf(isContinued ? cells : [Object.keys(columns), ...cells]));
}

/** Prints one record as JSON, or these lines for people. */
export async function printRecord(call: Call, record: unknown, lines: readonly string[]): Promise<void> {
  const text = call.json ? jsonText(record) : lines.map(printable).join('\n');
  await writeLine(call.terminal.stdout, text);
}

/** Prints a remark for people on standard error; nothing with `--json`. */
export async function remark({ json, terminal }: Call, text: string): Promise<void> {
  if (!json) await writeLine(terminal.stderr, printable(text));
}

/** A time to the minute, in UTC. */
export const minuteOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

/** The singular for 1, otherwise the plural, with the number. */
export const counted = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;

function cellText(value: string | number | null): string {
  const text = value === null ? '' : printable(String(value)).trim();
  const characters = Array.from(text.slice(0, 2 * MAX_CELL));
  return characters.length <= MAX_CELL && text.length <= 2 * MAX_CELL
    ? text
    : `${characters.slice(0, MAX_CELL - 1).join('')}…`;
}

function tableOf(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
