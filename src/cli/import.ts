import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { parseId, publicId } from '../common/ids.js';
import { parseEnvironment } from '../config/environment.js';
import { migrate } from '../database/run-migrations.js';
import { AuditService } from '../access/audit/audit.service.js';
import {
  DumpImportService,
  type ImportOptions,
  type ImportProgress,
} from '../collect/imports/dump-import.service.js';
import { type DumpSelection, selectedNames } from '../collect/imports/dump-filter.js';
import { CollectModule } from '../collect/collect.module.js';
import { audited } from './audited.js';
import { createCommandContext } from './command-context.js';
import { Interrupted, interruption } from './interruption.js';
import { runCommand, UsageError } from './run-command.js';
import { withServiceDatabase, type DatabaseEnvironment } from './service-database.js';

const USAGE =
  'usage: npm run import -- --workspace ID --file RS_2024-01.zst|list.mbox.gz [--forum a,b|mail:ADDRESS] [--author x,y] [--analyze] [--alerts] [--json]';
const BAR_WIDTH = 24;
/** Interval between progress updates, on a terminal and in a log. */
const TERMINAL_MS = 250;
const LOG_MS = 10_000;

/** The dump to import, and the selection of its rows. */
interface DumpOptions {
  workspaceId: string;
  file: string;
  /** Names of the options that were given. */
  given: string[];
  selected: ImportOptions;
  json: boolean;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      workspace: { type: 'string' },
      file: { type: 'string' },
      forum: { type: 'string', default: '' },
      author: { type: 'string', default: '' },
      analyze: { type: 'boolean', default: false },
      alerts: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { workspace, file } = values;
  if (workspace === undefined || file === undefined)
    throw new UsageError('--workspace and --file are required');
  if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals[0]}`);
  const workspaceId = parseId('workspace', workspace);
  if (workspaceId === null) throw new UsageError(`"${workspace}" is not the id of a workspace`);
  const { forum, author, analyze, alerts, json } = values;
  const selected = { forums: namesOf('forum', forum), authors: namesOf('author', author), analyze, alerts };
  const given = Object.entries({ file, forum, author, analyze, alerts }).flatMap(([name, value]) =>
    value === '' || value === false ? [] : [name],
  );
  await withServiceDatabase(parseEnvironment(process.env), (environment) =>
    importDump(environment, { workspaceId, file, given, selected, json }),
  );
  return 0;
}

/** Imports a dump into a workspace; prints progress on standard error and the result on standard output. */
async function importDump(environment: DatabaseEnvironment, options: DumpOptions): Promise<void> {
  const { workspaceId, file, given, selected, json } = options;
  await migrate(environment.DATABASE_URL);
  const app = await createCommandContext(environment, [CollectModule]);
  const stop = interruption();
  const began = performance.now();
  try {
    const show = progressDisplay(began, json);
    const result = await audited(
      app.get(AuditService),
      { action: 'import', targetWorkspaceId: workspaceId, fields: given },
      () => app.get(DumpImportService).run(workspaceId, file, selected, show, stop),
    );
    console.log(json ? JSON.stringify(toRecord(result, began)) : summaryOf(result, began));
    if (isNothing(result) && selected.forums.length + selected.authors.length > 0)
      console.error(`No record of ${file} is selected by ${optionsOf(selected)}`);
  } catch (error) {
    if (isUnknownWorkspace(error))
      throw new Error(`Workspace ${publicId('workspace', workspaceId)} does not exist`, { cause: error });
    // Below the progress line.
    if (error instanceof Interrupted && process.stderr.isTTY) console.error();
    throw error;
  } finally {
    await app.close();
  }
}

/** The row of a workspace that does not exist violates its foreign key. */
function isUnknownWorkspace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23503';
}

/** The names of a comma-separated list in any spelling. Throws {@link UsageError} for any other text. */
function namesOf(option: 'forum' | 'author', list: string): string[] {
  const names = selectedNames(option === 'forum' ? 'forum' : 'user', list);
  if ('refused' in names) throw new UsageError(`--${option}: ${names.refused} ${WRONG_NAME[option]}`);
  return names.names;
}

const WRONG_NAME = {
  forum: 'names no subreddit; for an account, use --author NAME',
  author: 'names no account; for a subreddit, use --forum NAME',
};

function toRecord(progress: ImportProgress, began: number): Record<string, number> {
  const seconds = (performance.now() - began) / 1_000;
  return {
    lines: progress.lines,
    posts: progress.posts,
    comments: progress.comments,
    existing: progress.existing,
    damaged_lines: progress.damagedLines,
    damaged_parts: progress.damagedParts,
    seconds: Math.round(seconds * 10) / 10,
    rows_per_second: Math.round((progress.posts + progress.comments + progress.existing) / seconds),
  };
}

function summaryOf(progress: ImportProgress, began: number): string {
  const seconds = Math.round((performance.now() - began) / 1_000);
  const skipped = [
    ...(progress.damagedLines > 0 ? [`${progress.damagedLines} damaged lines skipped`] : []),
    ...(progress.damagedParts > 0 ? [`${progress.damagedParts} damaged parts of the file skipped`] : []),
  ];
  return [
    `${progress.posts} posts and ${progress.comments} comments imported from ${progress.lines} lines in ${seconds} s`,
    `${progress.existing} were already stored`,
    ...skipped,
  ].join('; ');
}

/** Whether no record was selected. */
function isNothing({ posts, comments, existing }: ImportProgress): boolean {
  return posts + comments + existing === 0;
}

/** The selection as options of the command. */
function optionsOf({ forums, authors }: DumpSelection): string {
  return [
    ...(forums.length > 0 ? [`--forum ${forums.join(',')}`] : []),
    ...(authors.length > 0 ? [`--author ${authors.join(',')}`] : []),
  ].join(' ');
}

/**
 * Prints the percentage of the file, the rate and the remaining time at a fixed interval; nothing when JSON is
 * requested.
 */
function progressDisplay(began: number, isJson: boolean): (progress: ImportProgress) => void {
  const isTerminal = process.stderr.isTTY;
  let shownAt = performance.now();
  return (progress) => {
    const now = performance.now();
    if (isJson || now - shownAt < (isTerminal ? TERMINAL_MS : LOG_MS)) return;
    shownAt = now;
    const share = progress.size === 0 ? 1 : progress.position / progress.size;
    const seconds = (now - began) / 1_000;
    const filled = Math.round(share * BAR_WIDTH);
    const rate = Math.round(progress.lines / seconds).toLocaleString('en');
    const left = share > 0 ? Math.round((seconds / share) * (1 - share)) : 0;
    const line = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${(share * 100).toFixed(1)} %  ${rate} lines/s  ${progress.posts} posts  ${progress.comments} comments  ${left} s left`;
    process.stderr.write(isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
  };
}

await runCommand(USAGE, main);
