/** An option of a command. */
export interface Option {
  type: 'string' | 'boolean';
  /** What stands for the value in the help, e.g. `FORUM`. */
  value?: string;
  help: string;
  /** May be repeated; a value after `!` is excluded. */
  multiple?: boolean;
  /** The only values that it accepts. */
  choices?: readonly string[];
  short?: string;
}

/** The part of a process that the program uses. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

/** One call of a command. */
export interface Call {
  values: Record<string, unknown>;
  positionals: readonly string[];
  /** Whether records are printed as JSON, one a line. */
  json: boolean;
  terminal: Terminal;
  commands: readonly Command[];
}

/** A command of `wss`. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The forms of the command, without `wss`. */
  usage: readonly string[];
  /** Words that may follow the name, for the completion. */
  words?: readonly string[];
  options: Readonly<Record<string, Option>>;
  /** Returns the exit code. */
  run(call: Call): Promise<number>;
}

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: {
    type: 'boolean',
    help: 'Print records as JSON, one a line, and failures as JSON on standard error',
  },
  help: { type: 'boolean', short: 'h', help: 'Show this help' },
};

/** The command line is wrong; the message gives the reason. */
export class UsageError extends Error {}

/** The value of an option that is sent once; undefined when it is left out. */
export const textOf = ({ values }: Call, name: string): string | undefined =>
  values[name] as string | undefined;

/** The values of an option that may be repeated; undefined when it is left out. */
export const listOf = ({ values }: Call, name: string): string[] | undefined =>
  values[name] as string[] | undefined;

/** Whether an option without a value is sent. */
export const isSet = ({ values }: Call, name: string): boolean => values[name] === true;

/** The whole number of an option; undefined when it is left out. Throws {@link UsageError}. */
export function numberOf(call: Call, name: string, least = -Infinity): number | undefined {
  const text = textOf(call, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^-?\d{1,15}$/.test(text) || number < least)
    throw new UsageError(`--${name} must be a whole number${least === -Infinity ? '' : ` from ${least} on`}`);
  return number;
}

/** The only argument after a word such as `show`. Throws {@link UsageError} when it is missing or not the only one. */
export function onlyArgument(rest: readonly string[], what: string): string {
  const [first, second] = rest;
  if (first === undefined) throw new UsageError(`${what} is required`);
  if (second !== undefined) throw new UsageError(`Unexpected argument ${second}`);
  return first;
}

/** Throws {@link UsageError} when there are arguments. */
export function noArguments(rest: readonly string[]): void {
  if (rest[0] !== undefined) throw new UsageError(`Unexpected argument ${rest[0]}`);
}

/** The actions of a command by the word after its name; `list` is meant when there is none. */
export type Actions = Readonly<Record<string, (call: Call, rest: string[]) => Promise<number>>>;

/** Runs the action that a call names; returns its exit code. Throws {@link UsageError} for an unknown word. */
export async function runAction(actions: Actions, call: Call): Promise<number> {
  const [action = 'list', ...rest] = call.positionals;
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) throw new UsageError(`Unknown action ${action}`);
  return run(call, rest);
}
