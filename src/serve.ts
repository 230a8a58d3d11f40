import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from './application.js';
import { ConfigurationError, parseEnvironment } from './config/environment.js';

/** EX_CONFIG of sysexits.h: service managers do not restart a program that ends with it. */
const CONFIGURATION_EXIT_CODE = 78;

/**
 * Starts one process of the service with these variables and listens. Ends the process with a sentence and exit code 78
 * when the operator has to change the configuration; throws every other error.
 */
export async function serve(variables: NodeJS.ProcessEnv): Promise<NestExpressApplication> {
  try {
    const environment = parseEnvironment(variables);
    const app = await createApplication(environment);
    app.enableShutdownHooks();
    await app.listen(environment.PORT, environment.HOST);
    return app;
  } catch (error) {
    const sentence = explain(error);
    if (sentence === null) throw error;
    process.stderr.write(`${sentence}\n`);
    process.exit(CONFIGURATION_EXIT_CODE);
  }
}

/** A sentence for the operator about what prevents the start; null when the operator cannot remove the cause. */
function explain(error: unknown): string | null {
  if (error instanceof ConfigurationError) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  return code === 'EADDRINUSE' ? `Port ${port} is in use by another program; set PORT to a free one` : null;
}
