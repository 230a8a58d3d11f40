import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { parseEnvironment } from '../config/environment.js';
import { KEEP_ALIVE } from '../database/connections.js';
import { isMigrated } from '../database/migration-state.js';
import { type RunSql, runSqlOn } from '../database/run-sql.js';
import { findGap, hasCitus, secureLists, secureRows } from '../database/secured-rows.js';
import { OWNER, provideLogins, REQUEST_LOGIN } from '../launcher/database-owner.js';
import { printCheck, printEntries } from './audit-log.js';
import { planDistribution } from './distribution/plan.js';
import { runCommand, UsageError } from './run-command.js';
import { withServiceDatabase } from './service-database.js';

const USAGE = `usage: npm run db -- plan         prints the statements that distribute the tables with Citus
       npm run db -- distribute   executes them on a coordinator
       npm run db -- row-security makes requests run as a role that sees only one workspace
       npm run -s db -- roles        creates the logins of the service, as the administrator in DATABASE_URL
       npm run -s db -- audit [--after NUMBER]      prints the audit log, one JSON object a line
       npm run db -- audit-check [--after NUMBER]   checks that its entries are complete and unchanged`;
const COMMANDS = ['plan', 'distribute', 'row-security', 'roles', 'audit', 'audit-check'] as const;
type Command = (typeof COMMANDS)[number];

/**
 * Prints or executes the statements that distribute the tables of workspaces' data over the nodes of a Citus cluster,
 * applies row-level security where the migrations could not, or prints or checks the audit log.
 */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { after: { type: 'string' } },
  });
  const command = COMMANDS.find((name) => name === positionals[0]);
  if (positionals.length !== 1 || command === undefined)
    throw new UsageError(`Name one of ${COMMANDS.join(', ')}`);
  if (!/^\d{1,18}$/.test(values.after ?? '0')) throw new UsageError('--after takes the number of an entry');
  const after = BigInt(values.after ?? 0);
  await withServiceDatabase(parseEnvironment(process.env), ({ DATABASE_URL }) =>
    runOn(DATABASE_URL, command, after),
  );
  return 0;
}

async function runOn(databaseUrl: string, command: Command, after: bigint): Promise<void> {
  if (command === 'roles') return printLogins(databaseUrl);
  if (!(await isMigrated(databaseUrl)))
    throw new Error(
      'The database is older than this build. Start the service once, or run npm run migration:run',
    );
  const client = new pg.Client({ connectionString: databaseUrl, ...KEEP_ALIVE, application_name: 'wss-db' });
  await client.connect();
  try {
    if (command === 'row-security') return await applyRowSecurity(runSqlOn(client));
    if (command === 'audit') return await printEntries(runSqlOn(client), after);
    if (command === 'audit-check') return await printCheck(runSqlOn(client), after);
    if (command === 'distribute' && !(await hasCitus(runSqlOn(client))))
      throw new Error(
        'This Postgres has no Citus: run the command against the coordinator of a cluster, after CREATE EXTENSION citus and citus_set_coordinator_host',
      );
    const statements = await planDistribution(client);
    if (command === 'plan') for (const statement of statements) console.log(`${statement};`);
    else await distribute(client, statements);
  } finally {
    await client.end();
  }
}

/** Creates the logins of the service and prints the variables with their passwords, which are not stored. */
async function printLogins(administratorUrl: string): Promise<void> {
  const passwords = { owner: randomBytes(24).toString('hex'), request: randomBytes(24).toString('hex') };
  await provideLogins(administratorUrl, passwords);
  for (const [variable, role, password] of [
    ['DATABASE_URL', OWNER, passwords.owner],
    ['DATABASE_REQUEST_URL', REQUEST_LOGIN, passwords.request],
  ] as const) {
    const url = new URL(administratorUrl);
    [url.username, url.password] = [role, password];
    console.log(`${variable}=${url.href}`);
  }
}

/** Throws a sentence with the remedy when row-level security cannot be used. */
async function applyRowSecurity(run: RunSql): Promise<void> {
  await secureRows(run);
  await secureLists(run);
  const gap = await findGap(run);
  if (gap !== null) throw new Error([gap.reason, gap.remedy].filter((part) => part !== null).join('. '));
  console.log('Row-level security is set up. Restart the service');
}

/** Executes all statements or none. */
async function distribute(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query('BEGIN');
  // Triggers write count deltas, each on the shard of the rows that it counts.
  await client.query('SET LOCAL citus.enable_unsafe_triggers = on');
  // Rows are copied over the connections that later change the tables: Citus refuses changes over others.
  await client.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of statements) {
    console.error(statement);
    await client.query(statement);
  }
  await client.query('COMMIT');
  console.log(
    statements.length === 0 ? 'All tables are already distributed' : 'The tables are now distributed',
  );
}

await runCommand(USAGE, main);
