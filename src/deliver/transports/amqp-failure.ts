import { OutboundError, toOutboundError } from '../../infrastructure/outbound-http/outbound-error.js';

/** A failure whose message can be shown in delivery logs: it contains nothing that a broker sent but codes. */
export class AmqpFailure extends Error {}

/** Codes by which brokers close a channel, and their meaning after a message. */
const REFUSED_MESSAGES: Readonly<Record<number, string>> = {
  403: 'The broker does not let the user publish to this exchange (403)',
  404: 'The broker has no such exchange (404)',
};

/** Why a broker closed the channel, by its code. */
export function closedChannel(code: number): string {
  return REFUSED_MESSAGES[code] ?? `The broker refused the message (${code})`;
}

/** Why a connection could not be opened or was lost, as a sentence for delivery logs. */
export function failureOf(error: unknown): string {
  if (error instanceof AmqpFailure) return error.message;
  if (error instanceof OutboundError) return `${error.code}: ${error.message}`;
  const { code, message } = error as Error & { code?: unknown };
  if (typeof code === 'string') return failureOf(toOutboundError(error));
  if (typeof code === 'number') return `The broker closed the connection (${code})`;
  return failureOf(protocolFailure(message));
}

/** The meaning of a message of amqplib, which may contain text of the broker. */
function protocolFailure(message: string): Error {
  const [, refusal] = /^Handshake terminated by server: (\d+) /.exec(message) ?? [];
  if (refusal === '403') return new AmqpFailure('The broker refused the user or its password (403)');
  if (refusal !== undefined) return new AmqpFailure(`The broker refused the connection (${refusal})`);
  if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose'))
    return new AmqpFailure('The broker does not have this virtual host, or not for this user');
  if (/^(Socket closed|Unexpected close|Channel ended|channel closed)/.test(message))
    return new OutboundError('reset', 'The broker closed the connection');
  return new OutboundError('bad_answer', 'The server does not speak AMQP 0-9-1');
}
