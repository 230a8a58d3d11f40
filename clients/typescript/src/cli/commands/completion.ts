import { type Command, COMMON_OPTIONS, onlyArgument, UsageError } from '../command.js';
import { EXIT_CODES } from '../failure.js';
import { writeLine } from '../output.js';

const SHELLS: Record<string, (commands: readonly Command[]) => string> = {
  bash: bashScript,
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

/** `wss completion`: prints a script that lets a shell complete commands and options. */
export const COMPLETION: Command = {
  name: 'completion',
  summary: 'Print the completion for a shell',
  usage: [
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/wss.fish',
  ],
  words: Object.keys(SHELLS),
  options: {},
  async run({ positionals, commands, terminal }) {
    const shell = onlyArgument(positionals, `The shell (${Object.keys(SHELLS).join(', ')})`);
    if (!Object.hasOwn(SHELLS, shell)) throw new UsageError(`Unknown shell ${shell}`);
    await writeLine(terminal.stdout, SHELLS[shell]!(commands));
    return EXIT_CODES.success;
  },
};

const optionsOf = (command: Command) => Object.entries({ ...command.options, ...COMMON_OPTIONS });

/** Completes the command, then its words and options, and the choices of an option. */
function bashScript(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const words = [...(command.words ?? []), ...optionsOf(command).map(([name]) => `--${name}`)];
    return `    ${command.name}) words='${words.join(' ')}' ;;`;
  });
  const choices = commands.flatMap((command) =>
    optionsOf(command)
      .filter(([, option]) => option.choices !== undefined)
      .map(([name, option]) => `    '${command.name} --${name}') words='${option.choices!.join(' ')}' ;;`),
  );
  return `_wss() {
  local words='' command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help' -- "\${COMP_WORDS[1]}"))
    return
  fi
  case "$command" in
${cases.join('\n')}
  esac
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _wss wss`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c wss -n __fish_use_subcommand -f -a ${command.name} -d '${command.summary}'`,
    ...(command.words ? [`${inside(command)} -f -a '${command.words.join(' ')}'`] : []),
    ...optionsOf(command).map(([name, { type, choices, help }]) =>
      [
        `${inside(command)} -l ${name}`,
        ...(type === 'string' ? ['-r'] : []),
        ...(choices ? [`-f -a '${choices.join(' ')}'`] : []),
        `-d '${help.replaceAll("'", '')}'`,
      ].join(' '),
    ),
  ]);
  return lines.join('\n');
}

const inside = ({ name }: Command): string => `complete -c wss -n '__fish_seen_subcommand_from ${name}'`;
