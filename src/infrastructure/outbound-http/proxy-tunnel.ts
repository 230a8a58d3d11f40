import { request } from 'node:http';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { unescape } from 'node:querystring';
import { type OutboundProxy, outboundProxy, type ProxyVariables } from '../../config/outbound-proxy.js';
import { OutboundError } from './outbound-error.js';
import { isException } from './proxy-exceptions.js';

const HTTP_PORT = 80;

/** The host of a connection, as Node.js gives it to an agent. */
interface Destination {
  host?: string | null;
  port?: number | string | null;
  lookup?: LookupFunction;
}

interface TunnelLimits {
  connectTimeoutMs: number;
  checksAddresses?: boolean;
}

let used: OutboundProxy | null = null;

/** Sends the requests of this process through the proxy of these variables from now on; directly where they name none. */
export function useProxy(variables: ProxyVariables): void {
  used = outboundProxy(variables);
}

/**
 * A connection through the proxy of this process; null where none is used. Rejects with {@link OutboundError}, which names
 * neither the proxy nor its credentials. Where addresses are checked, the proxy gets the one that `lookup` gave.
 */
export function openTunnel(
  { host, port, lookup }: Destination,
  { connectTimeoutMs, checksAddresses = false }: TunnelLimits,
): Promise<Socket> | null {
  const name = host ?? 'localhost';
  const to = Number(port ?? HTTP_PORT);
  if (used === null || isException(name, to, used.exceptions)) return null;
  const { url } = used;
  const resolved = checksAddresses && isIP(name) === 0 ? addressOf(name, lookup!) : Promise.resolve(name);
  return resolved.then((address) =>
    connectThrough(url, `${isIP(address) === 6 ? `[${address}]` : address}:${to}`, connectTimeoutMs),
  );
}

/** The first address that a lookup finds. */
function addressOf(name: string, lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) =>
    lookup(name, { all: false }, (error, address) => {
      if (error) reject(error);
      else resolve(address as string);
    }),
  );
}

function connectThrough(proxy: URL, authority: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (sentence: string): void => reject(new OutboundError('connect_failed', sentence));
    const asking = request({
      method: 'CONNECT',
      path: authority,
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || HTTP_PORT,
      headers: { host: authority, ...authorizationOf(proxy) },
      agent: false,
    });
    const timer = setTimeout(() => {
      fail(`The HTTP proxy did not open a connection within ${timeoutMs} ms`);
      asking.destroy();
    }, timeoutMs);
    asking.once('close', () => clearTimeout(timer));
    asking.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      clearTimeout(timer);
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        return fail(refusal(statusCode));
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.once('error', (error: NodeJS.ErrnoException) =>
      fail(`The HTTP proxy could not be reached (${error.code ?? 'no connection'})`),
    );
    asking.end();
  });
}

function refusal(status: number): string {
  if (status === 407) return 'The HTTP proxy demands other credentials (407)';
  return status >= 500
    ? `The HTTP proxy could not reach the server (${status})`
    : `The HTTP proxy refuses the connection (${status})`;
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  // Unlike `decodeURIComponent`, it does not throw for a percent sign that was not encoded.
  const credentials = Buffer.from(`${unescape(username)}:${unescape(password)}`);
  return { 'proxy-authorization': `Basic ${credentials.toString('base64')}` };
}
