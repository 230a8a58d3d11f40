import { migrate } from '../../src/database/run-migrations.js';

/**
 * Migrates the database at `DATABASE_URL` with the migrations named as arguments. Runs in a process of its own: TypeORM
 * imports files through code that V8 caches by its text, outside a test file's module registry.
 */
await migrate(process.env.DATABASE_URL!, process.argv.slice(2));
