import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The time that schedules go by: one clock for all machines, and one that tests can set. */
export abstract class DatabaseClock {
  abstract now(manager: EntityManager): Promise<Date>;
}

/** The database server's time of day. */
@Injectable()
export class PostgresClock extends DatabaseClock {
  async now(manager: EntityManager): Promise<Date> {
    const [row] = await manager.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return row.now;
  }
}
