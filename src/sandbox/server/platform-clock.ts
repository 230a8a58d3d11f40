/** The platform's time: stopped at a moment, or following the machine's clock at an offset. */
export class PlatformClock {
  private distanceMs = 0;

  /** `startsAt`: the moment in milliseconds at which the clock is stopped; null follows `real`. */
  constructor(
    private readonly real: () => number,
    private fixedAt: number | null,
  ) {}

  readonly now = (): number => this.fixedAt ?? this.real() + this.distanceMs;

  get isFixed(): boolean {
    return this.fixedAt !== null;
  }

  /** Stops the clock at this moment; null follows the machine's clock again. */
  set(milliseconds: number | null): void {
    this.fixedAt = milliseconds;
    this.distanceMs = 0;
  }

  advance(milliseconds: number): void {
    if (this.fixedAt === null) this.distanceMs += milliseconds;
    else this.fixedAt += milliseconds;
  }
}
