import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Renames the table of destination queues with its index and constraints. */
export class DestinationQueues1791000003100 implements MigrationInterface {
  name = 'DestinationQueues1791000003100';

  up(runner: QueryRunner): Promise<void> {
    return rename(runner, 'delivery_lanes', 'destination_queues');
  }

  down(runner: QueryRunner): Promise<void> {
    return rename(runner, 'destination_queues', 'delivery_lanes');
  }
}

async function rename(runner: QueryRunner, from: string, to: string): Promise<void> {
  await runner.query(`ALTER TABLE ${from} RENAME TO ${to}`);
  await runner.query(`ALTER INDEX ${from}_due RENAME TO ${to}_due`);
  await runner.query(`
    DO $$ DECLARE constraint_name text; BEGIN
      FOR constraint_name IN
        SELECT conname FROM pg_constraint WHERE conrelid = '${to}'::regclass AND starts_with(conname, '${from}')
      LOOP
        EXECUTE format('ALTER TABLE ${to} RENAME CONSTRAINT %I TO %I',
          constraint_name, replace(constraint_name, '${from}', '${to}'));
      END LOOP;
    END $$`);
}
