/** The platform's time: stands still at a moment, or follows the machine's clock at a distance. */
export class PlatformClock {
  private distanceMs = 0;

  /** `startsAt` in milliseconds: the moment at which it stands still; null follows `real`. */
  constructor(
    private readonly real: () => number,
    private fixedAt: number | null,
  ) {}

  readonly now = (): number => this.fixedAt ?? this.real() + this.distanceMs;

  get isFixed(): boolean {
    return this.fixedAt !== null;
  }

  /** Stands still at this moment; null follows the machine's clock again. */
  set(milliseconds: number | null): void {
    this.fixedAt = milliseconds;
    this.distanceMs = 0;
  }

  advance(milliseconds: number): void {
    if (this.fixedAt === null) this.distanceMs += milliseconds;
    else this.fixedAt += milliseconds;
  }
}
