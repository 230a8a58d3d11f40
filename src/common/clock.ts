import { Injectable } from '@nestjs/common';

/** The time of day, injected so that tests can set it. */
export abstract class Clock {
  abstract now(): Date;
}

@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
