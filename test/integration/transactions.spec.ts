import type { EntityManager } from 'typeorm';
import { isDependencyUnavailable } from '../../src/common/dependency-unavailable.js';
import { PostgresClock } from '../../src/database/database-clock.js';
import { RetryingTransactions } from '../../src/database/retrying-transactions.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { createTestDatabase, openDataSource } from '../support/database.js';
import { until } from '../support/until.js';

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);
const transactions = new TransactionRunner(dataSource);

describe('a transaction', () => {
  beforeAll(() => dataSource.query('CREATE TABLE notes (text text)'));
  afterEach(() => dataSource.query('DELETE FROM notes'));

  const insert = (text: string, tx = dataSource.manager) => tx.query('INSERT INTO notes VALUES ($1)', [text]);
  const count = async (tx = dataSource.manager): Promise<number> => {
    const [{ notes }] = await tx.query<[{ notes: number }]>('SELECT count(*)::int AS notes FROM notes');
    return notes;
  };

  it('is committed when its work ends, and others do not see it before', async () => {
    await transactions.run(async (tx) => {
      await insert('a', tx);
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(1);
  });

  it('is rolled back when its work fails, with the error of the work', async () => {
    const failed = transactions.run(async (tx) => {
      await insert('a', tx);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await count()).toBe(0);
  });

  it.each([
    ['run', 1],
    ['runInSnapshot', 0],
  ] as const)('begun by %s sees %d rows that others commit meanwhile', async (method, seen) => {
    await transactions[method](async (tx) => {
      expect(await count(tx)).toBe(0);
      await insert('a');
      expect(await count(tx)).toBe(seen);
    });
  });
});

describe('the clock of the database', () => {
  it('advances within a transaction', async () => {
    const clock = new PostgresClock(dataSource);
    await transactions.run(async (tx) => {
      const before = await clock.now(tx);
      await tx.query('SELECT pg_sleep(0.01)');
      expect((await clock.now(tx)).getTime()).toBeGreaterThan(before.getTime());
    });
  });
});

describe('a transaction whose connection is lost between two statements', () => {
  /** Ends the transaction's connection as a stopping Postgres does, and waits until the driver has noticed. */
  async function loseConnection(tx: EntityManager): Promise<void> {
    const [{ pid }] = await tx.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
    await dataSource.query('SELECT pg_terminate_backend($1)', [pid]);
    await until(() => tx.queryRunner!.isReleased);
  }

  it.each(['run', 'runInSnapshot'] as const)('fails as an unavailable Postgres: %s', async (method) => {
    const failed = await transactions[method](async (tx) => {
      await loseConnection(tx);
      await tx.query('SELECT 1');
    }).catch((error: unknown) => error);
    expect(isDependencyUnavailable(failed)).toBe(true);
  });

  it('fails as an unavailable Postgres even when only the commit is left', async () => {
    const failed = await transactions.run(loseConnection).catch((error: unknown) => error);
    expect(isDependencyUnavailable(failed)).toBe(true);
  });

  it('is repeated where transactions outlive a restart of Postgres', async () => {
    let attempts = 0;
    const result = await new RetryingTransactions(transactions).run(
      new AbortController().signal,
      async (tx) => {
        attempts += 1;
        if (attempts === 1) await loseConnection(tx);
        return tx.query<{ one: number }[]>('SELECT 1 AS one');
      },
    );
    expect(result).toEqual([{ one: 1 }]);
    expect(attempts).toBe(2);
  });
});
