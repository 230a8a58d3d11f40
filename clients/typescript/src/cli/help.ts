import { type Command, COMMON_OPTIONS, type Option } from './command.js';

/** The help of the program: its commands, where credentials come from, and exit codes. */
export function programHelp(commands: readonly Command[]): string {
  return `usage: wss COMMAND [options]

${aligned(commands.map(({ name, summary }) => [name, summary]))}

Each command has its own help: wss COMMAND --help

The address and API key come from WSS_URL and WSS_API_KEY, or else from the file that wss login writes.
Exit codes: 0 success, 1 refused or failed, 2 wrong usage, 3 credentials missing or refused, 4 no answer.`;
}

/** The help of one command. */
export function commandHelp({ usage, summary, options }: Command): string {
  const rows = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([name, option]) => rowOf(name, option));
  return `${usage.map((form, index) => `${index === 0 ? 'usage:' : '      '} wss ${form}`).join('\n')}

${summary}.

${aligned(rows)}`;
}

function rowOf(name: string, { value, help, multiple, choices, short }: Option): [string, string] {
  const form = `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` ${value}`}`;
  const notes = [
    ...(choices ? [`one of ${choices.join(', ')}`] : []),
    ...(multiple ? ['may be repeated'] : []),
  ];
  return [form, notes.length === 0 ? help : `${help} (${notes.join('; ')})`];
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`).join('\n');
}
