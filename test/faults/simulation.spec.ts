import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../simulation/run.js');
const SOURCES = join(import.meta.dirname, '../../../src');
const SEEDS = '1..4';
const DAYS = '2';

/** What the program prints. */
const simulate = (...given: string[]): Promise<string> =>
  new Promise((resolve) =>
    execFile(process.execPath, [PROGRAM, ...given], (_error, stdout) => resolve(stdout)),
  );

const historiesIn = (printed: string): string[] => printed.match(/history [0-9a-f]{16}/g) ?? [];

describe('a simulation', () => {
  it('keeps every invariant, whatever fails, and repeats the history of a seed', async () => {
    const printed = await simulate('--seeds', SEEDS, '--days', DAYS);
    // The printed lines name the invariant and the command that repeats the seed.
    expect(printed).not.toContain('Repeat it with');
    expect(historiesIn(printed)).toHaveLength(4);
    const [again] = historiesIn(await simulate('--seed', '2', '--days', DAYS));
    expect(again).toBe(historiesIn(printed)[1]);
  });

  it('sets the time of every statement, since none reads the clock by other names', () => {
    const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) =>
        /\b(CURRENT_TIME(STAMP)?|CURRENT_DATE|LOCALTIME(STAMP)?)\b|\b(statement|transaction)_timestamp\(|pg_catalog\.(now|clock_timestamp)/.test(
          readFileSync(join(SOURCES, file), 'utf8'),
        ),
      );
    expect(found).toEqual([]);
  });
});
