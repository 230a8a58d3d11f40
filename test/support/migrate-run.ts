import { migrate } from '../../src/database/run-migrations.js';

/**
 * Brings the database at `DATABASE_URL` to the state that the migrations named as arguments make. In a process of its own:
 * TypeORM imports files through code that V8 caches by its text, outside a test file's module registry.
 */
await migrate(process.env.DATABASE_URL!, process.argv.slice(2));
