/** Multiple of the free places that one tenant may hold. */
const BORROWING = 3;

/**
 * Divides a fixed number of places among tenants. A tenant may hold up to three times as many places as are free: alone
 * three quarters, two tenants three sevenths each, and some always stay free for another one. The rule is the dynamic
 * threshold of shared packet buffers (Choudhury and Hahne, 1998).
 */
export class FairShare {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(private readonly places: number) {}

  /** How many more places a tenant may take now. */
  available(tenant: string): number {
    const free = this.places - this.total;
    const own = this.held.get(tenant) ?? 0;
    return Math.max(0, Math.floor((BORROWING * free - own) / (1 + BORROWING)));
  }

  /** Takes `count` places for a tenant, or returns them when negative. */
  take(tenant: string, count: number): void {
    const own = (this.held.get(tenant) ?? 0) + count;
    if (own > 0) this.held.set(tenant, own);
    else this.held.delete(tenant);
    this.total += count;
  }

  /** The tenants that hold places, with their numbers. */
  get holders(): ReadonlyMap<string, number> {
    return this.held;
  }
}
