import { migrate } from '../../src/database/run-migrations.js';

/**
 * Migrates the database at `DATABASE_URL` with the migrations that each message names, and answers with the error or an
 * empty text. Runs in a process of its own: TypeORM imports files through code that V8 caches by its text, outside a test
 * file's module registry.
 */
process.on('message', (numbers: string[]) => {
  migrate(process.env.DATABASE_URL!, numbers).then(
    () => process.send!(''),
    (error: unknown) => process.send!(String(error)),
  );
});
