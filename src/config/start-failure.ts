import { ConfigurationError } from './environment.js';

/** EX_CONFIG of sysexits.h: service managers do not restart a program that exits with it. */
export const CONFIGURATION_EXIT_CODE = 78;

/** A server did not accept a connection in time. The message is one sentence with the variable and the remedy. */
export class ServerUnreachable extends Error {}

const FOLDER_ERRORS: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'EROFS'],
  ...['EEXIST', 'ENOTDIR', 'ENOSPC'],
]);

/** A sentence for the operator about the obstacle to the start; null when the operator cannot fix the cause. */
export function startFailureSentence(error: unknown): string | null {
  if (error instanceof ConfigurationError) return error.message;
  const { code, port, address, hostname, path, syscall } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
    hostname?: string;
  };
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    switch (code) {
      case 'EADDRINUSE':
        return `Port ${port} is in use by another program; set PORT to a free one`;
      case 'EACCES':
        return `This user may not use port ${port}; set PORT to one above 1023`;
      default:
        return `HOST ${address ?? hostname ?? ''} is not an address of this machine (${code}); set HOST to one, or to 0.0.0.0 for all`;
    }
  if (path !== undefined && FOLDER_ERRORS.has(code ?? ''))
    return `${path} cannot be used (${code}); give this user access to it, or set DATA_DIR or MEDIA_DIR to another folder`;
  return null;
}

/**
 * The message that a process prints, and the code with which it exits, when it cannot start. Null when the operator cannot fix the
 * cause.
 */
export function startFailure(error: unknown): { sentence: string; exitCode: number } | null {
  // A service manager starts it again, since the server may be there then.
  if (error instanceof ServerUnreachable) return { sentence: error.message, exitCode: 1 };
  const sentence = startFailureSentence(error);
  return sentence === null ? null : { sentence, exitCode: CONFIGURATION_EXIT_CODE };
}
