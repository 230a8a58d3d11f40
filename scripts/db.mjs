import { runWithDatabase } from './lib/with-database.mjs';

await runWithDatabase('db');
