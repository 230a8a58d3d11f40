import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { ADDRESS_ATTEMPT_MS, type ConnectionOptions, KEEPALIVE_DELAY_MS, withTimeout } from './agents.js';
import { untilAborted } from '../../common/until-aborted.js';
import { toOutboundError } from './outbound-error.js';
import { openTunnel } from './proxy-tunnel.js';

/**
 * Opens a connection to the host and port of a URL, with TLS for https, as requests open theirs: addresses are resolved by
 * the `lookup` of the limits, and a proxy of this process is used. Rejects with {@link OutboundError}.
 */
export async function openSocket(url: URL, limits: ConnectionOptions, signal: AbortSignal): Promise<Socket> {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const to = {
    host,
    port: Number(url.port || (isSecure ? 443 : 80)),
    ...(limits.lookup && { lookup: limits.lookup }),
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  };
  try {
    const tunnel = await openedTunnel(to, limits, signal);
    const socket = isSecure
      ? connectSecurely({
          ...to,
          ...(tunnel && { socket: tunnel }),
          ...identityOf(host),
        })
      : (tunnel ?? connect(to));
    // Errors after this function are the caller's, who may not listen yet.
    socket.on('error', () => undefined);
    if (socket !== tunnel) await opened(socket, isSecure ? 'secureConnect' : 'connect', limits, signal);
    return socket.setNoDelay(true).setKeepAlive(true, KEEPALIVE_DELAY_MS);
  } catch (error) {
    throw toOutboundError(error);
  }
}

/**
 * Changes an open connection to TLS, for protocols that begin without. `host` is a name or IP address, as in a URL. Rejects
 * with {@link OutboundError}; the caller limits the wait by the signal.
 */
export async function securedSocket(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const secured = connectSecurely({ socket, ...identityOf(host.replace(/^\[|\]$/g, '')) });
  secured.on('error', () => undefined);
  try {
    await destroyedOnAbort(secured, signal, once(secured, 'secureConnect'));
    return secured;
  } catch (error) {
    throw toOutboundError(error);
  }
}

/** Whose certificate is expected; only names are sent to the server. */
function identityOf(host: string): { host: string; servername?: string } {
  return { host, ...(isIP(host) === 0 && { servername: host }) };
}

/** As {@link openTunnel}; a connection that is there after the signal aborts is closed. */
async function openedTunnel(
  to: Parameters<typeof openTunnel>[0],
  limits: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket | null> {
  const opening = openTunnel(to, limits);
  if (opening === null) return null;
  try {
    return await untilAborted(opening, signal);
  } catch (error) {
    opening.then(
      (socket) => socket.destroy(),
      () => undefined,
    );
    throw error;
  }
}

async function opened(
  socket: Socket,
  readyEvent: 'connect' | 'secureConnect',
  { connectTimeoutMs }: ConnectionOptions,
  signal: AbortSignal,
): Promise<void> {
  withTimeout(socket, readyEvent, connectTimeoutMs);
  await destroyedOnAbort(socket, signal, once(socket, readyEvent));
}

/** Resolves as `work` does. The socket is destroyed when the work fails, and when the signal aborts before it ends. */
export async function destroyedOnAbort<T>(socket: Socket, signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stop = (): void => void socket.destroy(signal.reason as Error);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await work;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
