import { once } from 'node:events';
import type { RunSql } from '../database/run-sql.js';
import type { SealedEntry } from '../access/audit/audit-chain.js';
import { checkChain, sealedEntries } from '../access/audit/read-chain.js';

const PROGRESS_EVERY = 100_000n;

/**
 * Writes the sealed entries after a number to standard output as the admin API shows them, one JSON object a line, in the
 * order of the chain.
 */
export async function printEntries(run: RunSql, after: bigint): Promise<void> {
  // Loads the framework, which no other command of the database needs.
  const { AuditEntryDto } = await import('../access/audit/dto/audit.dto.js');
  const lineOf = ({ time, ...entry }: SealedEntry): string =>
    `${JSON.stringify(AuditEntryDto.from({ ...entry, recordedAt: new Date(Math.floor(Number(time) / 1_000)) }))}\n`;
  for await (const page of sealedEntries(run, after))
    if (!process.stdout.write(page.map(lineOf).join(''))) await once(process.stdout, 'drain');
}

/**
 * Checks the chain after a number and prints the result. Prints to standard error how far it is, as the option with
 * which an interrupted check continues. Throws a sentence that names the first fault.
 */
export async function printCheck(run: RunSql, after: bigint): Promise<void> {
  let announced = after;
  const result = await checkChain(run, after, (checked) => {
    if (checked - announced < PROGRESS_EVERY) return;
    announced = checked;
    console.error(`--after ${checked}`);
  });
  if ('fault' in result) throw new Error(faultMessage(result));
  console.log(`${result.checked} audit entries are complete and unchanged`);
}

/** A sentence about a fault of the chain. */
export const faultMessage = ({
  sequence,
  fault,
}: {
  sequence: string;
  fault: 'missing' | 'changed';
}): string =>
  fault === 'missing'
    ? `Audit entry ${sequence} is missing: it was deleted, or entries were renumbered`
    : `Audit entry ${sequence}, or the hash of the entry before it, was changed after it was sealed`;
