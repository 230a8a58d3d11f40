import type { Schemas } from '../../api/client.ts';
import type { Outcome } from '../../components/delivery-health.ts';

type Run = Pick<Schemas['JobDto'], 'status'>;

const SHOWN = 10;

const OUTCOMES: Partial<Record<Run['status'], Outcome>> = { completed: 'arrived', failed: 'failed' };

/**
 * The outcomes of a schedule's last ten runs, oldest first, and how many of the newest failed one after the other. `runs`
 * are its jobs, newest first.
 */
export function recentRuns(runs: readonly Run[]): { outcomes: Outcome[]; streak: number } {
  const ended = runs.filter(({ status }) => OUTCOMES[status] !== undefined);
  const firstCompleted = ended.findIndex(({ status }) => status === 'completed');
  return {
    outcomes: runs
      .slice(0, SHOWN)
      .map(({ status }) => OUTCOMES[status] ?? 'waiting')
      .reverse(),
    streak: firstCompleted === -1 ? ended.length : firstCompleted,
  };
}
