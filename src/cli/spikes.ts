/**
 * `npm run -s spikes < in.ndjson > out.ndjson`, or with `-- --per-day BUCKETS` (default 288: five minutes a row).
 *
 * Input: one `{"series", "value"}` per line, the rows of each series in the order of time. Output: for each series one
 * `{"series", "alarms": [numbers of rows, from 0]}`. An unreadable line is reported on standard error and skipped; the exit
 * code is then 1.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { onOneLine } from '../common/json-line.js';
import { SpikeDetector } from '../content/analytics/spike-detector.js';
import { runCommand, UsageError } from './run-command.js';

interface Series {
  detector: SpikeDetector;
  rows: number;
  alarms: number[];
}

const USAGE = `usage: npm run -s spikes [-- --per-day BUCKETS] < FILE
  FILE has one {"series": "name", "value": 12} a line, the rows of each series in the order of time.`;

/** Reads one line; returns the mistake when it is not `{"series", "value"}`. */
function readRow(line: string, all: Map<string, Series>, bucketsPerDay: number): string | null {
  let row: unknown;
  try {
    row = JSON.parse(line.replace(/^\ufeff/, ''));
  } catch {
    return 'is not JSON';
  }
  const { series, value } = (row ?? {}) as Record<string, unknown>;
  if (typeof series !== 'string') return '"series" must be a string';
  if (typeof value !== 'number' || value < 0) return '"value" must be a number of at least 0';
  let one = all.get(series);
  if (!one) {
    const detector = new SpikeDetector({ bucketsPerDay, measure: 'count', direction: 'up' });
    all.set(series, (one = { detector, rows: 0, alarms: [] }));
  }
  if (one.detector.observe(value).alarm) one.alarms.push(one.rows);
  one.rows++;
  return null;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { 'per-day': { type: 'string', default: '288' } } });
  const bucketsPerDay = Number(values['per-day']);
  if (!Number.isInteger(bucketsPerDay) || bucketsPerDay < 1 || bucketsPerDay > 86_400)
    throw new UsageError('spikes: --per-day must be a whole number from 1 to 86400');
  const all = new Map<string, Series>();
  let [number, exitCode] = [0, 0];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    number++;
    const mistake = line.trim() === '' ? null : readRow(line, all, bucketsPerDay);
    if (mistake === null) continue;
    console.error(`spikes: line ${number}: ${mistake}`);
    exitCode = 1;
  }
  for (const [series, { alarms }] of all) console.log(onOneLine(JSON.stringify({ series, alarms })));
  return exitCode;
}

await runCommand(USAGE, main);
