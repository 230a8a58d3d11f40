import type { PruneBatch, Pruner } from '../../infrastructure/pruning/pruner.js';
import { AuditPruner } from './audit-pruner.js';
import type { AuditChainRepository } from './audit-chain.repository.js';

const BATCH = 1_000;

/** The pruning steps added for a retention time; successive batches delete the given numbers of entries. */
function stepsOf(AUDIT_RETENTION_DAYS: number, deleted: number[]): PruneBatch[] {
  const steps: PruneBatch[] = [];
  const entries = {
    deleteOlderThan: () => Promise.resolve(deleted.shift()!),
  } as unknown as AuditChainRepository;
  const pruner = { add: (_name: string, step: PruneBatch) => void steps.push(step) } as unknown as Pruner;
  new AuditPruner({ AUDIT_RETENTION_DAYS }, entries, pruner);
  return steps;
}

describe('audit log retention', () => {
  it('deletes nothing when set to 0', () => {
    expect(stepsOf(0, [])).toEqual([]);
  });

  it('continues after a full batch', async () => {
    const [step] = stepsOf(1, [BATCH, BATCH - 1]);
    expect([await step!(), await step!()]).toEqual([true, false]);
  });
});
