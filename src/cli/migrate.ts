import { ConfigurationError, parseEnvironment } from '../config/environment.js';
import { CONFIGURATION_EXIT_CODE, startFailureSentence } from '../config/start-failure.js';
import { migrate } from '../database/run-migrations.js';
import { awaitServers, ServerUnreachable } from '../infrastructure/await-servers.js';

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
  const isUnreachable = error instanceof ServerUnreachable;
  const sentence = isUnreachable ? error.message : startFailureSentence(error);
  if (sentence === null) throw error;
  console.error(sentence);
  process.exitCode = isUnreachable ? 1 : CONFIGURATION_EXIT_CODE;
}
