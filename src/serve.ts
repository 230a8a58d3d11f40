import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from './application.js';
import { awaitServers, ServerUnreachable } from './infrastructure/await-servers.js';
import { ConfigurationError, parseEnvironment } from './config/environment.js';

/** EX_CONFIG of sysexits.h: service managers do not restart a program that ends with it. */
const CONFIGURATION_EXIT_CODE = 78;

/**
 * Starts one process of the service with these variables and listens. Ends the process with a sentence and exit code 78
 * when the operator has to change the configuration, with exit code 1 when a server cannot be reached; throws every other error.
 */
export async function serve(variables: NodeJS.ProcessEnv): Promise<NestExpressApplication> {
  try {
    const environment = parseEnvironment(variables);
    await awaitServers(environment, (line) => process.stderr.write(`${line}\n`));
    const app = await createApplication(environment);
    app.enableShutdownHooks();
    await app.listen(environment.PORT, environment.HOST);
    return app;
  } catch (error) {
    if (error instanceof ServerUnreachable) {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    }
    const sentence = explain(error);
    if (sentence === null) throw error;
    process.stderr.write(`${sentence}\n`);
    process.exit(CONFIGURATION_EXIT_CODE);
  }
}

const FOLDER_ERRORS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOSPC']);

/** A sentence for the operator about what prevents the start; null when the operator cannot remove the cause. */
function explain(error: unknown): string | null {
  if (error instanceof ConfigurationError) return error.message;
  const { code, port, address, path, syscall } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    switch (code) {
      case 'EADDRINUSE':
        return `Port ${port} is in use by another program; set PORT to a free one`;
      case 'EACCES':
        return `Port ${port} may not be used by this user; set PORT to one above 1023`;
      default:
        return `HOST ${address ?? ''} is not an address of this machine (${code}); set HOST to one, or to 0.0.0.0 for all`;
    }
  if (path !== undefined && FOLDER_ERRORS.has(code ?? ''))
    return `${path} cannot be used (${code}); give this user access to it, or set DATA_DIR or MEDIA_DIR to another folder`;
  return null;
}
