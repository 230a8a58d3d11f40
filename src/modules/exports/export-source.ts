import type { Readable } from 'node:stream';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type pg from 'pg';
import QueryStream from 'pg-query-stream';
import { DataSource } from 'typeorm';
import { DependencyUnavailableError } from '../../common/dependency-unavailable.js';
import { PostgresPool } from '../../database/postgres-driver.js';
import type { Sql } from '../../database/sql.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { STATEMENT_TIMEOUT_MS } from '../../database/data-source.js';

/** How `pg_stat_activity` names the connections of exports. */
export const EXPORT_APPLICATION_NAME = 'wss-exports';

const CONNECT_TIMEOUT_MS = 5_000;
/** Rows that are held at once; a small number keeps turns of the event loop short for everybody else. */
const BATCH_ROWS = 50;
/** A cursor that closes by itself takes milliseconds; one whose first rows are still being sorted does not. */
const CLOSE_WITHIN_MS = 500;

export interface ExportCursor {
  rows: Readable;
  /** Frees cursor and connection, whether or not all rows were read. */
  end(): Promise<void>;
}

/**
 * Server-side cursors on connections of their own, so that slow downloads never take those of other requests.
 * Whoever asks bounds their number.
 */
@Injectable()
export class ExportSource implements OnApplicationShutdown {
  private readonly logger = new Logger(ExportSource.name);
  private readonly pool: PostgresPool;

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {
    this.pool = new PostgresPool({
      connectionString: environment.DATABASE_URL,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 10_000,
      application_name: EXPORT_APPLICATION_NAME,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    // An idle connection that breaks is replaced on the next use.
    this.pool.on('error', () => undefined);
  }

  /** A cursor on a query. Whoever opens it must end it. */
  async open({ text, parameters }: Sql): Promise<ExportCursor> {
    const client = await this.pool.connect();
    const rows = client.query(new BoundedQueryStream(text, parameters, { batchSize: BATCH_ROWS }));
    const closed = new Promise<void>((resolve) => rows.once('close', resolve));
    const onLost = (error: Error) =>
      rows.destroy(new DependencyUnavailableError('Postgres', { cause: error }));
    client.on('error', onLost);
    return {
      rows,
      end: async () => {
        rows.destroy();
        await closed;
        const isSound = rows.isCursorClosed && rows.errored === null;
        if (!rows.isCursorClosed) await this.cancel(client);
        // A broken connection may report more than one error, and each needs a listener.
        if (isSound) client.removeListener('error', onLost);
        client.release(!isSound);
      },
    };
  }

  /** Stops a query that nobody waits for any more; closing its connection alone would let it run to its end. */
  private async cancel(client: pg.PoolClient): Promise<void> {
    const { processID } = client as { processID?: number };
    await this.dataSource
      .query('SELECT pg_cancel_backend($1)', [processID])
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'query of an abandoned export not cancelled'),
      );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

/** A stream that ends even when its cursor cannot be closed: its connection is lost, or still sorts the first rows. */
class BoundedQueryStream extends QueryStream {
  isCursorClosed = false;

  override _destroy(error: Error, done: (error?: Error) => void): void {
    const timer = setTimeout(() => done(error), CLOSE_WITHIN_MS);
    super._destroy(error, (failure?: Error) => {
      this.isCursorClosed = true;
      clearTimeout(timer);
      done(failure);
    });
  }
}
