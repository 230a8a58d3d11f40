import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { parseEnvironment } from '../config/environment.js';
import { isMigrated } from '../database/migration-state.js';
import { withOperatorTools } from './operator-context.js';
import { COMMANDS, UsageError } from './workspace-commands.js';
import { runCommand } from './run-command.js';

const USAGE = `usage: npm run workspace -- COMMAND [--json]
  create --name NAME
  list [--q TEXT]
  show | suspend | resume | delete ID
  retention ID [--posts DAYS] [--comments DAYS] [--media DAYS] [--deliveries DAYS] [--jobs DAYS]
  export ID --to FOLDER
  key ID [--name NAME] [--scopes read,write,admin]
  key ID --revoke KEY_ID`;

/** Carries out one command for operators and prints its result. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      workspace: { type: 'string' },
      q: { type: 'string' },
      to: { type: 'string' },
      scopes: { type: 'string' },
      revoke: { type: 'string' },
      posts: { type: 'string' },
      comments: { type: 'string' },
      media: { type: 'string' },
      deliveries: { type: 'string' },
      jobs: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [name = '', id, ...more] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined || more.length > 0) throw new UsageError(USAGE);
  const { json, ...options } = values;
  const environment = parseEnvironment(process.env);
  if (environment.DATABASE_URL === undefined)
    throw new Error('DATABASE_URL must name the Postgres of the service');
  // Loading what migrates takes half a second.
  if (!(await isMigrated(environment.DATABASE_URL)))
    await (await import('../database/run-migrations.js')).migrate(environment.DATABASE_URL);
  const printed = await withOperatorTools(environment, (tools) =>
    command(tools, { ...options, ...(id !== undefined && { id }) }),
  );
  console.log(json ? JSON.stringify(printed.json) : printed.lines.join('\n'));
  return 0;
}

await runCommand(main, (error) => (error instanceof UsageError || isArgumentError(error) ? 2 : 1));

function isArgumentError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
}
