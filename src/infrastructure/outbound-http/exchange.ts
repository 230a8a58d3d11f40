import {
  request as httpRequest,
  type Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { type Agents, MAX_HEADER_BYTES } from './agents.js';
import { OutboundError, toOutboundError } from './outbound-error.js';

/** A body that is read while it is sent. */
export interface SizedStream {
  stream: Readable;
  /** Its exact length. */
  bytes: number;
}

/** A string is sent in one packet with the headers; others are not. */
export type OutboundBody = string | Buffer | SizedStream;

/** A single request, without redirects and without its own timeout. */
export interface Exchange {
  url: URL;
  method: string;
  headers: OutgoingHttpHeaders;
  body?: OutboundBody;
}

/**
 * Sends a request and resolves with the response before its body is read. Rejects with {@link OutboundError}, at once
 * when the signal aborts, even while the request waits for a free connection.
 */
export async function exchange(
  what: Exchange,
  agents: Agents,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = what.url.protocol === 'https:';
  try {
    return await send(what, isSecure ? agents.https : agents.http, signal);
  } catch (error) {
    // The server may close a pooled connection just as it is reused; one retry on a new connection is then safe,
    // except of a stream, which is spent.
    if (error instanceof StaleConnection && !signal.aborted && !isStream(what.body)) {
      try {
        return await send(what, isSecure ? agents.unpooled.https : agents.unpooled.http, signal);
      } catch (second) {
        throw toOutboundError(second);
      }
    }
    throw toOutboundError(error);
  }
}

/** Whether a body is read while it is sent, and only once. */
export const isStream = (body: OutboundBody | undefined): body is SizedStream =>
  typeof body === 'object' && 'stream' in body;

class StaleConnection extends Error {
  readonly code = 'ECONNRESET';
}

function send(
  { url, method, headers, body }: Exchange,
  agent: Agent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as OutboundError);
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = open(url, { method, headers, agent, maxHeaderSize: MAX_HEADER_BYTES });
    const onAbort = (): void => {
      reject(signal.reason as OutboundError);
      request.destroy(signal.reason as OutboundError);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    let isAnswered = false;
    request.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      // Has no effect unless Node.js ended the connection without an error, as it does for 101 with `Upgrade`.
      if (!isAnswered)
        reject(new OutboundError('bad_answer', 'The connection was closed without a response'));
    });
    request.once('response', (response) => {
      isAnswered = true;
      resolve(response);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(stale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    if (!isStream(body)) return void request.end(body);
    // A response before the end of the body is the last word: nothing more is sent once it was read.
    request.once('response', (response) => response.once('close', () => body.stream.destroy()));
    pipeline(body.stream, request, (error) => {
      if (error) reject(error);
    });
  });
}

/**
 * Reads at most `maxBytes` of a body and closes the connection if there is more. Rejects with {@link OutboundError}.
 */
export function readBody(
  response: Readable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ body: Buffer; truncated: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (truncated: boolean): void => {
      signal.removeEventListener('abort', onAbort);
      resolve({ body: Buffer.concat(chunks, Math.min(bytes, maxBytes)), truncated });
    };
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      reject(toOutboundError(signal.aborted ? signal.reason : error));
    };
    const onAbort = (): void => {
      fail(signal.reason);
      response.destroy();
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      finish(true);
      response.destroy();
    });
    response.on('end', () => finish(false));
    response.on('error', fail);
    response.on('close', () => {
      if (!response.readableEnded && bytes <= maxBytes)
        fail(new OutboundError('reset', 'The connection was closed before the response was complete'));
    });
  });
}
