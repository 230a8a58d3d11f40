import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type Command, numberOf, UsageError } from '../command.js';
import { connect } from '../credentials.js';
import { FILTER_OPTIONS, filtersOf } from '../filters.js';
import { jsonText, printable, writeLine } from '../output.js';
import { idOf, pagesOf, type Row, ROW_COLUMNS } from '../rows.js';
import { follow } from './jobs.js';

/** Newest rows that are compared with those seen before. */
const NEWEST = 1_000;
const JOB_ID = /^job_[0-9a-f-]{36}$/i;

/** `wss watch`: follows a job, or prints posts or comments as they are stored. */
export const WATCH: Command = {
  name: 'watch',
  summary: 'Follow a job to its end, or print new posts or comments of a search until it is interrupted',
  usage: ['watch JOB_ID', 'watch [QUERY] [options]'],
  options: {
    ...FILTER_OPTIONS,
    every: { type: 'string', value: 'SECONDS', help: 'Time between two looks; default 10' },
    count: { type: 'string', value: 'N', help: 'End after this many rows' },
  },
  async run(call) {
    const [first = '', second] = call.positionals;
    if (JOB_ID.test(first)) {
      if (second !== undefined) throw new UsageError(`Unexpected argument ${second}`);
      return follow(call, await connect(call.terminal), first);
    }
    return watchRows(call);
  },
};

/**
 * Prints what is among the newest {@link NEWEST} rows and was not at the look before, oldest first. Rows that are stored
 * late, when as many newer ones exist, are not printed.
 */
async function watchRows(call: Call): Promise<number> {
  const { of, filters } = filtersOf(call);
  const everyMs = (numberOf(call, 'every', 1) ?? 10) * 1_000;
  let left = numberOf(call, 'count', 1) ?? Infinity;
  const client = await connect(call.terminal);
  const newest = async (): Promise<Row[]> => {
    const rows: Row[] = [];
    const query = { ...filters, sort_by: 'created_utc', sort_order: 'desc' };
    for await (const page of pagesOf(client, of, query, NEWEST)) rows.push(...page.rows);
    return rows;
  };
  let seen = new Set((await newest()).map(idOf));
  for (;;) {
    await sleep(everyMs);
    const rows = await newest();
    for (const row of rows.filter((one) => !seen.has(idOf(one))).reverse()) {
      await writeLine(call.terminal.stdout, call.json ? jsonText(row) : lineOf(row));
      if (--left === 0) return 0;
    }
    seen = new Set(rows.map(idOf));
  }
}

const lineOf = (row: Row): string =>
  Object.values(ROW_COLUMNS)
    .map((cell) => printable(String(cell(row) ?? '')))
    .join('  ');
