import { ConfigurationError, parseEnvironment } from '../config/environment.js';
import { startFailure } from '../config/start-failure.js';
import { migrate } from '../database/run-migrations.js';
import { awaitServers } from '../infrastructure/await-servers.js';

try {
  const { DATABASE_URL } = parseEnvironment(process.env);
  if (DATABASE_URL === undefined)
    throw new ConfigurationError('DATABASE_URL must name the Postgres to migrate');
  await awaitServers({ DATABASE_URL }, (line) => console.error(line));
  const done = await migrate(DATABASE_URL);
  console.error(
    done.length === 0 ? 'The database schema is up to date' : `Database schema: ran ${done.join(', ')}`,
  );
} catch (error) {
  const failure = startFailure(error);
  if (failure === null) throw error;
  console.error(failure.sentence);
  process.exitCode = failure.exitCode;
}
