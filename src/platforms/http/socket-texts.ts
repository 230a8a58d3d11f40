import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { MAX_HEADER_BYTES } from '../../infrastructure/outbound-http/agents.js';
import { configuredAgents } from '../../infrastructure/outbound-http/configured-fetch.js';

const CONNECT_MS = 10_000;
/** Without a message or ping for this long, the connection counts as lost. */
const SILENCE_MS = 60_000;
/** Time in which messages gather, so that they are handled together. */
const GATHER_MS = 200;
const BATCH = 1_000;
/** Messages that wait before the connection is paused. */
const MAX_WAITING = 5_000;
const MAX_MESSAGE_BYTES = 1_024 * 1_024;

/**
 * The texts that a server sends over a WebSocket, in batches, with an empty one while none arrives. Throws when the
 * connection cannot be made, ends or stays silent, and the signal's reason when it aborts.
 */
export async function* socketTexts(
  url: string,
  userAgent: string,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  signal.throwIfAborted();
  const agents = configuredAgents();
  const options = {
    agent: new URL(url).protocol === 'wss:' ? agents.https : agents.http,
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    headers: { 'User-Agent': userAgent },
    // Is passed on to Node.js.
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const socket = new WebSocket(url, options);
  const waiting: string[] = [];
  const state: { end: Error | null; heardAt: number } = { end: null, heardAt: performance.now() };
  const hear = (): void => void (state.heardAt = performance.now());
  socket.on('open', hear).on('ping', hear);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    hear();
    if (!isBinary) waiting.push(data.toString('utf8'));
    if (waiting.length >= MAX_WAITING) socket.pause();
  });
  socket.on('error', (error) => (state.end ??= error));
  socket.on('close', (code) => (state.end ??= new Error(`The connection was closed with code ${code}`)));
  try {
    for (;;) {
      if (waiting.length < BATCH) await sleep(GATHER_MS, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      if (waiting.length === 0 && state.end !== null) throw state.end;
      if (waiting.length === 0 && performance.now() - state.heardAt > SILENCE_MS)
        throw new Error('The connection is silent');
      yield waiting.splice(0, BATCH);
      if (waiting.length < MAX_WAITING / 2 && socket.isPaused) {
        // While it was paused, the server could not be heard.
        hear();
        socket.resume();
      }
    }
  } finally {
    socket.terminate();
    agents.close();
  }
}
