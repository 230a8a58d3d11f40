/** Thrown when no slot became free in time. */
export class NoTurnError extends Error {
  constructor() {
    super('no slot became free in time');
  }
}

/** Conditions of a caller of {@link FairTurns.take}. */
export interface TurnOptions {
  /** Maximum work of this tenant at once; evaluated whenever work could start. */
  atMost: () => number;
  /** Maximum wait for a slot, in milliseconds. */
  waitMs: number;
  signal?: AbortSignal;
}

interface Waiter {
  start: () => void;
  cancel: () => void;
}

interface Tenant {
  running: number;
  atMost: () => number;
  readonly waiters: Set<Waiter>;
}

/**
 * Limits how much work runs at once, in total and per tenant. Free slots go to waiting tenants in turn, so that a
 * tenant with a long queue delays another one by at most one piece of work per slot.
 */
export class FairTurns {
  private running = 0;
  /** Tenants in the order of their turns. */
  private readonly tenants = new Map<string, Tenant>();

  /** `running` limits the work of all tenants together; evaluated whenever work could start. */
  constructor(
    private readonly limits: { running: () => number; waiting: { total: number; perTenant: number } },
  ) {}

  /**
   * Waits for a slot. Call the returned function once to free the slot. Throws {@link NoTurnError} when no slot becomes
   * free in time or too many callers wait, and the signal's reason when it aborts.
   */
  async take(tenantId: string, { atMost, waitMs, signal }: TurnOptions): Promise<() => void> {
    signal?.throwIfAborted();
    const tenant = this.tenants.get(tenantId) ?? { running: 0, atMost, waiters: new Set() };
    tenant.atMost = atMost;
    this.tenants.set(tenantId, tenant);
    if (tenant.waiters.size === 0 && this.hasFreeSlot && tenant.running < atMost()) this.start(tenant);
    else await this.wait(tenantId, tenant, waitMs, signal);
    return () => {
      this.running -= 1;
      tenant.running -= 1;
      this.forgetIdle(tenantId, tenant);
      this.startWaiting();
    };
  }

  /** Number of running pieces of work of a tenant. */
  runningOf(tenantId: string): number {
    return this.tenants.get(tenantId)?.running ?? 0;
  }

  private start(tenant: Tenant): void {
    this.running += 1;
    tenant.running += 1;
  }

  private wait(tenantId: string, tenant: Tenant, waitMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          leave();
          this.start(tenant);
          resolve();
        },
        cancel: () => {
          leave();
          reject(signal?.aborted === true ? (signal.reason as Error) : new NoTurnError());
          this.forgetIdle(tenantId, tenant);
        },
      };
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', waiter.cancel);
        tenant.waiters.delete(waiter);
      };
      const timer = setTimeout(waiter.cancel, waitMs);
      if (!this.mayWait(tenant)) {
        waiter.cancel();
        return;
      }
      signal?.addEventListener('abort', waiter.cancel);
      tenant.waiters.add(waiter);
      this.startWaiting();
    });
  }

  private get hasFreeSlot(): boolean {
    return this.running < this.limits.running();
  }

  /** Starts waiting work until none may start. Limits can rise by themselves, so this can be more than one piece. */
  private startWaiting(): void {
    while (this.hasFreeSlot && this.startNext());
  }

  /** Starts the next tenant's first waiting work in a free slot. False when none may start. */
  private startNext(): boolean {
    for (const [tenantId, tenant] of this.tenants) {
      const [waiter] = tenant.waiters;
      if (waiter === undefined || tenant.running >= tenant.atMost()) continue;
      // The tenant goes to the end of the order.
      this.tenants.delete(tenantId);
      this.tenants.set(tenantId, tenant);
      waiter.start();
      return true;
    }
    return false;
  }

  private mayWait(tenant: Tenant): boolean {
    const { total, perTenant } = this.limits.waiting;
    if (tenant.waiters.size >= perTenant) return false;
    let count = 0;
    for (const { waiters } of this.tenants.values()) count += waiters.size;
    return count < total;
  }

  private forgetIdle(tenantId: string, tenant: Tenant): void {
    if (tenant.running === 0 && tenant.waiters.size === 0) this.tenants.delete(tenantId);
  }
}
