import { OutboundError, toOutboundError } from '../../infrastructure/outbound-http/outbound-error.js';

/** A failure whose message can be shown in delivery logs: it contains nothing that a server sent but numbers. */
export class NatsFailure extends Error {}

/** The names of errors of the client that say why a server refuses something. */
const REFUSALS: Readonly<Record<string, string>> = {
  AuthorizationError: 'The server refused the user or its password',
  UserAuthenticationExpiredError: 'The access of the user has expired',
  NoResponders: 'The server has no stream for the subject',
  InvalidArgumentError: 'The message is larger than the server takes (max_payload)',
};

/** Why a message was not taken, or a connection not opened or lost, as a sentence for delivery logs. */
export function natsFailureOf(error: unknown): string {
  if (error instanceof NatsFailure) return error.message;
  if (error instanceof OutboundError) return `${error.code}: ${error.message}`;
  const { name, message, cause, code, operation } = error as Error & { code?: unknown; operation?: string };
  const refusal = REFUSALS[name];
  if (refusal !== undefined) return refusal;
  if (name === 'PermissionViolationError')
    return operation === 'subscription'
      ? 'The server does not let the user subscribe to _INBOX.>, where it confirms messages'
      : 'The server does not let the user publish to the subject';
  if (typeof code === 'string') return natsFailureOf(toOutboundError(error));
  if (cause !== undefined) return natsFailureOf(cause);
  if (/^connection (closed|disconnected|refused)$/.test(message) || name === 'ClosedConnectionError')
    return natsFailureOf(new OutboundError('reset', 'The server closed the connection'));
  return natsFailureOf(new OutboundError('bad_answer', 'The server does not speak NATS'));
}
