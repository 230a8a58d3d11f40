import type { BudgetSession } from './request-budget.js';

/** Somebody who wants to send one request. */
export interface Waiter {
  session: BudgetSession;
  admit: () => void;
}

type Queues = Map<string, Waiter[]>;

/** Who waits in this process: `high` before `normal`, and within each the workspaces take turns. */
export class WaitingLine {
  private readonly queues: Record<BudgetSession['priority'], Queues> = { high: new Map(), normal: new Map() };

  get isEmpty(): boolean {
    return this.queues.high.size === 0 && this.queues.normal.size === 0;
  }

  /** Resolves when admitted; rejects with the signal's reason when it aborts before. */
  join(session: BudgetSession, onJoined: () => void): Promise<void> {
    const { signal, workspaceId, priority } = session;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        session,
        admit: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = () => {
        this.leave(waiter);
        reject(signal.reason as Error);
      };
      const queues = this.queues[priority];
      queues.set(workspaceId, [...(queues.get(workspaceId) ?? []), waiter]);
      signal.addEventListener('abort', onAbort, { once: true });
      onJoined();
    });
  }

  /** The first waiter of every workspace, in the order of their turns. */
  fronts(): Waiter[] {
    return [...this.queues.high.values(), ...this.queues.normal.values()].flatMap((queue) => queue[0] ?? []);
  }

  /** Takes a waiter out, and puts its workspace at the end of the line. */
  take(waiter: Waiter): void {
    const queues = this.queues[waiter.session.priority];
    const rest = (queues.get(waiter.session.workspaceId) ?? []).filter((other) => other !== waiter);
    queues.delete(waiter.session.workspaceId);
    if (rest.length > 0) queues.set(waiter.session.workspaceId, rest);
  }

  has(waiter: Waiter): boolean {
    return this.queues[waiter.session.priority].get(waiter.session.workspaceId)?.includes(waiter) ?? false;
  }

  private leave(waiter: Waiter): void {
    const queues = this.queues[waiter.session.priority];
    const rest = (queues.get(waiter.session.workspaceId) ?? []).filter((other) => other !== waiter);
    if (rest.length > 0) queues.set(waiter.session.workspaceId, rest);
    else queues.delete(waiter.session.workspaceId);
  }
}
