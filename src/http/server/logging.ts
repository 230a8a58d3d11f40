import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Caller, withoutToken } from '../request/request.js';
import { presentResponse } from '../../common/work-scope.js';
import { OutageLog } from './outage-log.js';
import { readableLine } from './readable-line.js';

/** Contexts in which Nest logs its own setup at every start. */
const FRAMEWORK_CONTEXTS = new Set<unknown>([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
  // A startup error; it is also thrown to the caller.
  'ExceptionHandler',
]);

/** Its cause is in a line of its own, which an outage has only one of. */
const UNAVAILABLE = 503;

type LoggedRequest = IncomingMessage & {
  id?: unknown;
  caller?: Caller;
  originalUrl?: string;
  clientAddress?: string;
};

/**
 * The process's logger: lines of `level` and above, to standard output unless a `destination` is given: JSON, but short
 * sentences on a terminal.
 */
export function createLogger(level: string, destination?: DestinationStream & { isTTY?: boolean }): Logger {
  const target = destination ?? process.stdout;
  if (target.isTTY) return pino({ level }, { write: (line: string) => target.write(readableLine(line)) });
  // Without a destination, pino writes to the descriptor itself, which is faster.
  return destination === undefined ? pino({ level }) : pino({ level }, destination);
}

/**
 * Middleware that writes one line per request when its response ends, except for probes: method, path without query,
 * status, duration, address and caller. Headers and bodies are never logged, so no key can leak into the log. Expects
 * `request.id` to be set.
 */
export function logRequests(
  logger: Logger,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    const startedAt = Date.now();
    let failure: Error | undefined;
    response.on('error', (error) => (failure = error));
    if (!request.url?.startsWith('/health/'))
      response.once('close', () => {
        const outcome = outcomeOf(request, response, Date.now() - startedAt);
        const isFailure = response.statusCode >= 500 && response.statusCode !== UNAVAILABLE;
        if (failure === undefined && !isFailure) logger.info(outcome, 'request completed');
        else logger.error({ ...outcome, err: failure }, 'request failed');
      });
    next();
  };
}

function outcomeOf(
  { id, caller, method, originalUrl, url, clientAddress }: LoggedRequest,
  response: ServerResponse,
  durationMs: number,
): Record<string, unknown> {
  return {
    requestId: id,
    method,
    path: withoutToken((originalUrl ?? url ?? '').split('?', 1)[0]!),
    status: response.statusCode,
    durationMs,
    ...(clientAddress !== undefined && { address: clientAddress }),
    ...(caller && { workspaceId: caller.workspaceId, keyId: caller.keyId }),
  };
}

/**
 * Forwards calls of Nest's `Logger` to pino. Call `logger.warn({ err, jobId }, 'heartbeat failed')`: fields first, then
 * a constant message. Nest appends the logger's name, which becomes the field `context`. Of the lines about an outage of
 * Postgres or Redis only the first and the end are written.
 */
export class PinoLoggerService implements LoggerService {
  private readonly outages: OutageLog;

  constructor(private readonly logger: Logger) {
    this.outages = new OutageLog(logger);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(
    level: 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    if (!this.logger.isLevelEnabled(level)) return;
    const context = rest.at(-1);
    if (FRAMEWORK_CONTEXTS.has(context)) return;
    const error = message instanceof Error ? message : (message as { err?: unknown } | null | undefined)?.err;
    if (!this.outages.admits(error)) return;
    const [detail] = rest.slice(0, -1);
    const response = presentResponse();
    const fields = { context, ...(response && { requestId: (response.req as LoggedRequest).id }) };
    if (message instanceof Error) this.logger[level]({ ...fields, err: message });
    else if (typeof message !== 'object' || message === null)
      // Nest's own error logs pass a stack as the second argument.
      this.logger[level](
        { ...fields, ...(typeof detail === 'string' && { stack: detail }) },
        String(message),
      );
    else if (typeof detail === 'string') this.logger[level]({ ...fields, ...message }, detail);
    else this.logger[level]({ ...fields, ...message });
  }
}
