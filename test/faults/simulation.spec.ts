import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../simulation/run.js');
const SOURCES = join(import.meta.dirname, '../../../src');
const SEEDS = [1, 2, 3, 4];
const REPEATED = 2;
const DAYS = '2';

/** What the program prints. */
const simulate = (...given: string[]): Promise<string> =>
  new Promise((resolve) =>
    execFile(process.execPath, [PROGRAM, ...given], (_error, stdout) => resolve(stdout)),
  );

const historyIn = (printed: string): string | undefined => /history ([0-9a-f]{16})/.exec(printed)?.[1];

describe('a simulation', () => {
  it.each(SEEDS)('keeps every invariant with seed %d, whatever fails', async (seed) => {
    const printed = await simulate('--seed', String(seed), '--days', DAYS);
    // The printed lines name the invariant and the command that repeats the seed.
    expect(printed).not.toContain('Repeat it with');
    expect(historyIn(printed)).toBeDefined();
    if (seed === REPEATED)
      expect(historyIn(await simulate('--seed', String(seed), '--days', DAYS))).toBe(historyIn(printed));
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
