import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ALERTS } from './commands/alerts.js';
import { COMPLETION } from './commands/completion.js';
import { EXPORT } from './commands/export.js';
import { JOBS } from './commands/jobs.js';
import { LOGIN } from './commands/login.js';
import { SEARCH } from './commands/search.js';
import { WATCH } from './commands/watch.js';
import { type Command, COMMON_OPTIONS, type Terminal, UsageError } from './command.js';
import { describeFailure, EXIT_CODES } from './failure.js';
import { commandHelp, programHelp } from './help.js';
import { jsonText, writeLine } from './output.js';

/** The commands in the order of the help. */
export const COMMANDS: readonly Command[] = [LOGIN, JOBS, SEARCH, EXPORT, ALERTS, WATCH, COMPLETION];

/** Runs `wss` with these arguments; returns the exit code. Never throws. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '', ...rest] = args;
  const command = COMMANDS.find((one) => one.name === name);
  try {
    if (command === undefined) return await withoutCommand(name, terminal);
    const parsed = parseArgs({ args: rest, allowPositionals: true, ...parserOf(command) });
    const { positionals, values }: { positionals: string[]; values: Record<string, unknown> } = parsed;
    if (values.help === true) {
      await writeLine(terminal.stdout, commandHelp(command));
      return EXIT_CODES.success;
    }
    requireChoices(command, values);
    return await command.run({
      values,
      positionals,
      json: values.json === true,
      terminal,
      commands: COMMANDS,
    });
  } catch (error) {
    const { exitCode, ...failure } = describeFailure(error);
    const usage = exitCode === EXIT_CODES.usage ? `See: wss ${command ? `${name} ` : ''}--help` : undefined;
    const remedy = failure.remedy ?? usage;
    const text = args.includes('--json')
      ? jsonText({ ...failure, ...(remedy !== undefined && { remedy }) })
      : [`wss: ${failure.error}`, ...(remedy === undefined ? [] : [remedy])].join('\n');
    await writeLine(terminal.stderr, text);
    return exitCode;
  }
}

async function withoutCommand(name: string, terminal: Terminal): Promise<number> {
  if (name !== '--help' && name !== '-h' && name !== 'help' && name !== '')
    throw new UsageError(`Unknown command ${name}`);
  await writeLine(name === '' ? terminal.stderr : terminal.stdout, programHelp(COMMANDS));
  return name === '' ? EXIT_CODES.usage : EXIT_CODES.success;
}

function parserOf(command: Command): Pick<ParseArgsConfig, 'options'> {
  const entries = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  return {
    options: Object.fromEntries(
      entries.map(([name, { type, multiple = false, short }]) => [
        name,
        { type, multiple, ...(short && { short }) },
      ]),
    ),
  };
}

/** Throws {@link UsageError} for a value that is not among the choices of its option; `!value` excludes one. */
function requireChoices(command: Command, values: Record<string, unknown>): void {
  for (const [name, { choices, multiple }] of Object.entries(command.options))
    for (const value of [values[name] ?? []].flat() as string[])
      if (choices !== undefined && !choices.includes(multiple ? value.replace(/^!/, '') : value))
        throw new UsageError(`--${name} must be one of ${choices.join(', ')}`);
}
