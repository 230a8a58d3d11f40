/** A tenant may use up to this multiple of the free slots. */
const BORROWING = 3;

/**
 * Divides a fixed number of slots among tenants. A tenant may use up to three times as many slots as are free: a single
 * tenant gets three quarters, two tenants get three sevenths each, and some slots always stay free for another tenant.
 * The rule is the dynamic threshold of shared packet buffers (Choudhury and Hahne, 1998).
 */
export class FairShare {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(private readonly places: number) {}

  /** How many more slots a tenant may take now. */
  available(tenant: string): number {
    const free = this.places - this.total;
    const own = this.held.get(tenant) ?? 0;
    return Math.max(0, Math.floor((BORROWING * free - own) / (1 + BORROWING)));
  }

  /** Takes `count` slots for a tenant; a negative count returns them. */
  take(tenant: string, count: number): void {
    const own = (this.held.get(tenant) ?? 0) + count;
    if (own > 0) this.held.set(tenant, own);
    else this.held.delete(tenant);
    this.total += count;
  }

  /** The tenants that use slots, with the number of slots each uses. */
  get holders(): ReadonlyMap<string, number> {
    return this.held;
  }
}
