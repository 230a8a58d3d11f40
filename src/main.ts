import 'reflect-metadata';
import { createApplication } from './application.js';
import { ConfigurationError, parseEnvironment } from './config/environment.js';

/** What service managers take for "do not try again": the configuration cannot work. */
const CONFIGURATION_EXIT_CODE = 78;

try {
  const environment = parseEnvironment(process.env);
  const app = await createApplication(environment);
  app.enableShutdownHooks();
  await app.listen(environment.PORT, environment.HOST);
  process.send?.({ listening: await app.getUrl() });
} catch (error) {
  const sentence = explain(error);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exit(CONFIGURATION_EXIT_CODE);
}

/** The sentence that mends a start that cannot work; null when the fault is not the operator's. */
function explain(error: unknown): string | null {
  if (error instanceof ConfigurationError) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  return code === 'EADDRINUSE' ? `Port ${port} is taken by another program; set PORT to a free one` : null;
}
