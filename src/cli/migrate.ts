import { ConfigurationError, parseEnvironment } from '../config/environment.js';
import { CONFIGURATION_EXIT_CODE, startFailureSentence } from '../config/start-failure.js';
import { migrate } from '../database/run-migrations.js';

try {
  const { DATABASE_URL } = parseEnvironment(process.env);
  if (DATABASE_URL === undefined)
    throw new ConfigurationError('DATABASE_URL must name the Postgres to migrate');
  const done = await migrate(DATABASE_URL);
  console.error(
    done.length === 0 ? 'The database schema is up to date' : `Database schema: ran ${done.join(', ')}`,
  );
} catch (error) {
  const sentence = startFailureSentence(error);
  if (sentence === null) throw error;
  console.error(sentence);
  process.exitCode = CONFIGURATION_EXIT_CODE;
}
