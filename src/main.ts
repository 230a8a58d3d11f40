import 'reflect-metadata';
import { createApplication } from './application.js';
import { ConfigurationError, parseEnvironment } from './config/environment.js';

/** EX_CONFIG of sysexits.h: service managers do not restart a program that ends with it. */
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

/** A sentence for the operator about what prevents the start; null when the operator cannot remove the cause. */
function explain(error: unknown): string | null {
  if (error instanceof ConfigurationError) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  return code === 'EADDRINUSE' ? `Port ${port} is in use by another program; set PORT to a free one` : null;
}
