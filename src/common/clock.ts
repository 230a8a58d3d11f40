/**
 * The time of this machine, injected so that tests can set it. Use DatabaseClock for decisions that several machines
 * share.
 */
export abstract class Clock {
  abstract now(): Date;
}

/** The clock of the operating system. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
