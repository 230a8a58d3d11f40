import { parseArgs } from 'node:util';
import { UsageError } from '../../../src/cli/run-command.js';

/** Options such as `--posts 1000`, each a number with a default. Throws for an unknown option or another value. */
export function numbersOf<K extends string>(args: string[], defaults: Record<K, number>): Record<K, number> {
  const entries = Object.entries<number>(defaults);
  const options = Object.fromEntries(
    entries.map(([name, value]) => [name, { type: 'string' as const, default: String(value) }]),
  );
  const { values } = parseArgs({ args, options });
  const read = entries.map(([name]) => [name, Number(values[name])] as const);
  for (const [name, value] of read) if (Number.isNaN(value)) throw new UsageError(`--${name} needs a number`);
  return Object.fromEntries(read) as Record<K, number>;
}
