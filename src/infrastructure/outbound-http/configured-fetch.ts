import { type Agents, createAgents } from './agents.js';
import { decodedBody } from './content-encoding.js';
import { exchange, readBody } from './exchange.js';

const MAX_BYTES = 1_024 * 1_024;
/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Connections to addresses from the configuration, which may be private and are not checked. */
export function configuredAgents(): Agents {
  return createAgents({
    connectTimeoutMs: 10_000,
    idleTimeoutMs: 60_000,
    maxSockets: 64,
    maxFreeSockets: 64,
  });
}

const agents = configuredAgents();

/**
 * `fetch` for an address from the configuration, over the connections of this service: it follows no redirects and reads
 * the first MiB of a body. Rejects with {@link OutboundError}.
 */
export async function configuredFetch(address: string, options: RequestInit): Promise<Response> {
  const request = new Request(address, options);
  const { method, signal } = request;
  const sent = Buffer.from(await request.arrayBuffer());
  const response = await exchange(
    {
      url: new URL(request.url),
      method,
      headers: { accept: '*/*', ...Object.fromEntries(request.headers), 'content-length': sent.length },
      body: sent,
    },
    agents,
    signal,
  );
  const { body } = await readBody(decodedBody(response), MAX_BYTES, signal);
  const status = response.statusCode ?? 0;
  return new Response(WITHOUT_BODY.has(status) ? null : body, {
    status,
    headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  });
}
