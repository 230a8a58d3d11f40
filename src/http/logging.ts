import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { pinoHttp } from 'pino-http';
import type { Caller } from './request.js';
import { presentResponse } from './request-scope.js';

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

type LoggedRequest = IncomingMessage & { caller?: Caller; originalUrl?: string };

/** Fields that pino-http adds by itself. */
interface OwnFields {
  /** Milliseconds. */
  responseTime: number;
}

/** The process's logger: JSON lines of `level` and above, to standard output unless a `destination` is given. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return destination === undefined ? pino({ level }) : pino({ level }, destination);
}

/**
 * Middleware that writes one line per request when its response ends, except for probes: method, path without query,
 * status, duration and caller. Headers and bodies are never logged, so no key can leak into the log. Expects
 * `request.id` to be set.
 */
export function logRequests(
  logger: Logger,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const log = pinoHttp({
    logger,
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    autoLogging: { ignore: (request) => request.url?.startsWith('/health/') ?? false },
    serializers: { req: () => undefined, res: () => undefined },
    customLogLevel: (_request, response, error) =>
      error !== undefined || response.statusCode >= 500 ? 'error' : 'info',
    customSuccessObject: (request, response, own: OwnFields) => outcomeOf(request, response, own),
    customErrorObject: (request, response, error, own: OwnFields) => ({
      ...outcomeOf(request, response, own),
      err: error,
    }),
    customSuccessMessage: () => 'request completed',
    customErrorMessage: () => 'request failed',
  });
  return (request, response, next) => {
    log(request, response);
    next();
  };
}

function outcomeOf(
  request: LoggedRequest,
  response: ServerResponse,
  { responseTime }: OwnFields,
): Record<string, unknown> {
  const { caller, method, originalUrl, url } = request;
  return {
    method,
    path: (originalUrl ?? url)?.split('?')[0],
    status: response.statusCode,
    durationMs: responseTime,
    ...(caller && { workspaceId: caller.workspaceId, keyId: caller.keyId }),
  };
}

/**
 * Forwards calls of Nest's `Logger` to pino. Call `logger.warn({ err, jobId }, 'heartbeat failed')`: fields first, then
 * a constant message. Nest appends the logger's name, which becomes the field `context`.
 */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly logger: Logger) {}

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
    const context = rest.at(-1);
    if (FRAMEWORK_CONTEXTS.has(context)) return;
    const [detail] = rest.slice(0, -1);
    // The logger of a request adds its `requestId`.
    const logger = presentResponse()?.req.log ?? this.logger;
    if (message instanceof Error) logger[level]({ context, err: message });
    else if (typeof message !== 'object' || message === null)
      // Nest's own error logs pass a stack as the second argument.
      logger[level]({ context, ...(typeof detail === 'string' && { stack: detail }) }, String(message));
    else if (typeof detail === 'string') logger[level]({ context, ...message }, detail);
    else logger[level]({ context, ...message });
  }
}
