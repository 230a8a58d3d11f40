/** Thrown when no place became free in time. */
export class NoTurnError extends Error {
  constructor(
    /** Whether the tenant's own limit was the reason, rather than the total. */
    readonly isTenantAtLimit: boolean,
  ) {
    super('no place became free in time');
  }
}

interface Waiter {
  start: () => void;
  cancel: () => void;
}

interface Tenant {
  running: number;
  readonly waiters: Set<Waiter>;
}

/**
 * Limits how much work runs at once, in total and for each tenant. Free places go to waiting tenants in turn, so that
 * a tenant with a long queue delays another one by at most one piece of work for each place.
 */
export class FairTurns {
  private running = 0;
  /** In the order of their turns. */
  private readonly tenants = new Map<string, Tenant>();

  /** `waiting` bounds the waiters of all tenants together. */
  constructor(private readonly limits: { total: number; perTenant: number; waiting: number }) {}

  /**
   * Waits at most `waitMs` for a place. Call the returned function once to free the place.
   * Throws {@link NoTurnError} when there is none in time or too many wait, and the signal's reason when it aborts.
   */
  async take(tenantId: string, waitMs: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const tenant = this.tenants.get(tenantId) ?? { running: 0, waiters: new Set() };
    this.tenants.set(tenantId, tenant);
    if (this.running < this.limits.total && tenant.running < this.limits.perTenant) this.start(tenant);
    else await this.wait(tenantId, tenant, waitMs, signal);
    return () => {
      this.running -= 1;
      tenant.running -= 1;
      this.startNext();
      this.forgetIdle(tenantId, tenant);
    };
  }

  /** Work of a tenant that runs or waits. */
  countOf(tenantId: string): number {
    const tenant = this.tenants.get(tenantId);
    return tenant === undefined ? 0 : tenant.running + tenant.waiters.size;
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
          reject(
            signal?.aborted === true
              ? (signal.reason as Error)
              : new NoTurnError(tenant.running >= this.limits.perTenant),
          );
          this.forgetIdle(tenantId, tenant);
        },
      };
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', waiter.cancel);
        tenant.waiters.delete(waiter);
      };
      const timer = setTimeout(waiter.cancel, waitMs);
      if (this.waiting() >= this.limits.waiting) {
        waiter.cancel();
        return;
      }
      signal?.addEventListener('abort', waiter.cancel);
      tenant.waiters.add(waiter);
    });
  }

  private startNext(): void {
    for (const [tenantId, tenant] of this.tenants) {
      const [waiter] = tenant.waiters;
      if (waiter === undefined || tenant.running >= this.limits.perTenant) continue;
      // The tenant goes to the end of the order.
      this.tenants.delete(tenantId);
      this.tenants.set(tenantId, tenant);
      waiter.start();
      return;
    }
  }

  private waiting(): number {
    let count = 0;
    for (const { waiters } of this.tenants.values()) count += waiters.size;
    return count;
  }

  private forgetIdle(tenantId: string, tenant: Tenant): void {
    if (tenant.running === 0 && tenant.waiters.size === 0) this.tenants.delete(tenantId);
  }
}
