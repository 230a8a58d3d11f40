import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource, modulesOf } from '../platforms/custom/load-sources.js';
import { runCommand, UsageError } from './run-command.js';
import { checkConformance, type CheckResult } from './source-check/conformance.js';
import { readRecordedSource } from './source-check/recorded-source.js';

const USAGE = 'usage: npm run source -- check FOLDER [--json]';
const SIGNS = { ok: 'ok     ', problem: 'PROBLEM', skipped: 'skipped' } as const;

/** `npm run source -- check FOLDER [--json]`: checks the source in a folder; exits with 1 if there is a problem. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [command, given, ...rest] = positionals;
  if (command !== 'check' || given === undefined || rest.length > 0)
    throw new UsageError('Name a folder to check');
  const folder = resolve(given);
  const modules = await modulesOf(folder);
  if (modules.length !== 1)
    throw new Error(`${folder} has ${modules.length} modules; put one .mjs file with the source there`);
  const answers = join(folder, 'recorded.json');
  await stat(answers).catch(() => {
    throw new Error(`${answers} is missing; it holds the recorded answers, as docs/sources-writing.md says`);
  });
  const definition = await loadSource(join(folder, modules[0]!));
  const checks = await checkConformance(definition, readRecordedSource(answers));
  const isOk = checks.every(({ status }) => status !== 'problem');
  console.log(values.json ? JSON.stringify({ ok: isOk, checks }) : checks.map(linesOf).join('\n'));
  return isOk ? 0 : 1;
}

function linesOf({ check, status, messages }: CheckResult): string {
  return [`${SIGNS[status]}  ${check}`, ...messages.map((message) => `         ${message}`)].join('\n');
}

await runCommand(USAGE, main);
