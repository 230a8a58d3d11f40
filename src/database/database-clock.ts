import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

/** The time for decisions that several machines share, because their clocks may differ. Tests replace it. */
export abstract class DatabaseClock {
  /** The current time; inside a transaction `tx` must be passed. */
  abstract now(tx?: EntityManager): Promise<Date>;
}

/** The time of the database server. */
@Injectable()
export class PostgresClock extends DatabaseClock {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super();
  }

  async now(tx: EntityManager = this.dataSource.manager): Promise<Date> {
    const [row] = await tx.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return row.now;
  }
}
