import { parseArgs } from 'node:util';
import { SystemClock } from '../common/clock.js';
import { diagnose } from './diagnosis/diagnose.js';
import type { Finding } from './diagnosis/finding.js';
import { runCommand } from './run-command.js';

const USAGE = 'usage: npm run doctor [-- --json]';
const SIGNS = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM', skipped: 'skipped' } as const;

/**
 * `npm run doctor [-- --json]`: prints problems of the installation and their remedies; exits with 1 if there is a
 * problem.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const checks = await diagnose(process.env, new SystemClock());
  const isOk = checks.every(({ status }) => status !== 'problem');
  console.log(values.json ? JSON.stringify({ ok: isOk, checks }) : checks.map(lineOf).join('\n'));
  return isOk ? 0 : 1;
}

function lineOf({ check, status, message, remedy }: Finding): string {
  const line = `${SIGNS[status]}  ${check.padEnd(17)}  ${message}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(28)}${remedy}`;
}

await runCommand(USAGE, main);
