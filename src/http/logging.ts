import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Caller } from './request.js';

/** What the framework tells about its own assembly at every start. */
const FRAMEWORK_CHATTER = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

type LoggedRequest = IncomingMessage & { caller?: Caller; originalUrl?: string };

/** For lines of `level` and above. One wide line per request. Headers and bodies are not logged at all, so no key can be. */
export function loggingOptions(level: string): Params {
  return {
    pinoHttp: {
      level,
      hooks: {
        logMethod(args: [unknown, ...unknown[]], method: (...args: unknown[]) => void) {
          const { context } = (args[0] ?? {}) as { context?: string };
          if (context === undefined || !FRAMEWORK_CHATTER.has(context)) method.apply(this, args);
        },
      },
      quietReqLogger: true,
      autoLogging: { ignore: (request: IncomingMessage) => request.url?.startsWith('/health/') ?? false },
      serializers: { req: () => undefined, res: () => undefined },
      customLogLevel: (_request: IncomingMessage, response: ServerResponse, error?: Error) =>
        error !== undefined || response.statusCode >= 500 ? 'error' : 'info',
      customSuccessObject: (request: IncomingMessage, response: ServerResponse, own: OwnFields) => ({
        ...outcomeOf(request, response),
        responseTime: own.responseTime,
      }),
      customErrorObject: (
        request: IncomingMessage,
        response: ServerResponse,
        error: Error,
        own: OwnFields,
      ) => ({ ...outcomeOf(request, response), responseTime: own.responseTime, err: error }),
      customSuccessMessage: () => 'request',
      customErrorMessage: () => 'request failed',
    },
  };
}

/** What the logging library adds by itself. */
interface OwnFields {
  /** Milliseconds. */
  responseTime: number;
}

function outcomeOf(request: LoggedRequest, response: ServerResponse): Record<string, unknown> {
  const { caller, method, originalUrl, url } = request;
  return {
    method,
    path: (originalUrl ?? url)?.split('?')[0],
    status: response.statusCode,
    ...(caller && { workspaceId: caller.workspaceId, keyId: caller.keyId }),
  };
}
