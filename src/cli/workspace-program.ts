import { parseArgs } from 'node:util';
import { parseEnvironment } from '../config/environment.js';
import { isMigrated } from '../database/migration-state.js';
import { ERASURE_COMMANDS } from './erasure-commands.js';
import { OPERATOR_COMMANDS } from './operator-commands.js';
import { withOperatorTools } from './operator-context.js';
import { UsageError } from './run-command.js';
import { withServiceDatabase } from './service-database.js';
import { COMMANDS } from './workspace-commands.js';

/** How `npm run workspace` is used. */
export const WORKSPACE_USAGE = `usage: npm run workspace -- COMMAND [--json]
  create --name NAME
  list [--q TEXT]
  show | suspend | resume | delete ID
  retention ID [--posts DAYS] [--comments DAYS] [--media DAYS] [--deliveries DAYS] [--jobs DAYS]
  export ID --to FOLDER
  key ID [--name NAME] [--scopes read,write,admin]
  key ID --revoke KEY_ID
  erase ID --author NAME [--source NAME] | --post POST_ID | --comment COMMENT_ID [--reason TEXT] [--no-suppress]
  erasures ID
  erasures --to FILE
  operators [--unbind ADDRESS]`;

const ALL = { ...COMMANDS, ...ERASURE_COMMANDS, ...OPERATOR_COMMANDS };

/** Runs the operator command of this process's arguments and prints its result; returns the exit code. */
export async function runWorkspaceCommand(): Promise<number> {
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
      author: { type: 'string' },
      source: { type: 'string' },
      post: { type: 'string' },
      comment: { type: 'string' },
      reason: { type: 'string' },
      'no-suppress': { type: 'boolean' },
      unbind: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [name = '', id, ...more] = positionals;
  const command = Object.hasOwn(ALL, name) ? ALL[name] : undefined;
  if (command === undefined)
    throw new UsageError(name === '' ? 'a command is required' : `unknown command ${name}`);
  if (more.length > 0) throw new UsageError(`unexpected argument ${more[0]}`);
  const { json, ...options } = values;
  const printed = await withServiceDatabase(parseEnvironment(process.env), async (environment) => {
    // Loading the migration code takes half a second.
    if (!(await isMigrated(environment.DATABASE_URL)))
      await (await import('../database/run-migrations.js')).migrate(environment.DATABASE_URL);
    return withOperatorTools(environment, (tools) =>
      command(tools, { ...options, ...(id !== undefined && { id }) }),
    );
  });
  console.log(json ? JSON.stringify(printed.json) : printed.lines.join('\n'));
  return 0;
}
