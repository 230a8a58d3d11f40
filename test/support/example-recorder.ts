import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationExamples } from '../../src/openapi/examples.js';
import type { Contract, ContractOperation } from './contract.js';

/** Compiled tests run from `dist`. */
const FILE = join(import.meta.dirname, '../../../src/openapi/examples.json');

/**
 * Takes real requests and responses as examples of operations that have none, or whose examples their schemas no longer
 * accept. Writes them only when the variable `RECORD_EXAMPLES` is set.
 */
export class ExampleRecorder {
  private readonly recorded: Record<string, OperationExamples> = {};

  constructor(private readonly contract: Contract) {}

  /** `text` is the body of the response, a character for each byte. */
  record(
    operation: ContractOperation,
    request: object | string | undefined,
    { headers, text }: { headers: Headers; text: string },
  ): void {
    if (this.contract.exampleComplaints(operation).length === 0) return;
    const body = Buffer.from(text, 'latin1').toString('utf8');
    const type = (headers.get('content-type') ?? '').split(';', 1)[0]!;
    this.recorded[operation.operation.operationId!] = {
      ...(request !== undefined && { request }),
      ...(type === 'application/json'
        ? { response: shortened(JSON.parse(body)) }
        : { files: { [type]: body } }),
    };
  }

  write(): void {
    if (process.env.RECORD_EXAMPLES === undefined) return;
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, OperationExamples>;
    // A form of a response that the request did not ask for stays.
    const recorded = Object.entries(this.recorded).map(([id, one]) => [id, { ...kept[id], ...one }] as const);
    const all = Object.entries({ ...kept, ...Object.fromEntries(recorded) });
    all.sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
}

/** A value with the first item of each list. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]));
}
