import { withTimeout } from '../../common/timeout.js';
import { untilAborted } from '../../common/until-aborted.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import { unsendable } from '../../messages/channels/post-json.js';
import { AMQP_SCHEMES, type AmqpAddress, parseAmqpAddress } from './amqp-address.js';
import { AmqpConnections } from './amqp-connections.js';
import { failureOf } from './amqp-failure.js';
import type { OutgoingEvent, TransportContext, TransportDefinition } from './transport.js';

/** Publishes each event as a message to a broker of AMQP 0-9-1, which confirms it. */
export const AMQP: TransportDefinition = {
  name: 'amqp',
  schemes: Object.keys(AMQP_SCHEMES),
  requiredSecret: 'the password for the broker',
  refuse: (address, http) => {
    const parsed = parseAmqpAddress(address);
    return 'refusal' in parsed ? parsed.refusal : http.refuseUrl(parsed.broker);
  },
  create: (context) => {
    const connections = new AmqpConnections(context.http, context.timeoutMs);
    return {
      send: (event) => publish(event, connections, context),
      close: () => connections.close(),
    };
  },
};

async function publish(
  event: OutgoingEvent,
  connections: AmqpConnections,
  context: TransportContext,
): Promise<DeliveryOutcome> {
  const address = parseAmqpAddress(event.url);
  if ('refusal' in address) return unsendable(`The address ${address.refusal}`);
  const [password] = event.secrets;
  if (password === undefined) return unsendable('The webhook has no secret');
  const startedAt = performance.now();
  const failure = await confirmed(event, { address, password, connections, context });
  return {
    ok: failure === null,
    responseCode: null,
    durationMs: Math.round(performance.now() - startedAt),
    ...(failure !== null && { error: failure }),
  };
}

/** Null when the broker has taken the message of an event, else why not. */
async function confirmed(
  { destination, url, id, body, mediaType, type, signal }: OutgoingEvent,
  {
    address,
    password,
    connections,
    context: { clock, timeoutMs },
  }: { address: AmqpAddress; password: string; connections: AmqpConnections; context: TransportContext },
): Promise<string | null> {
  const timestamp = Math.floor(clock.now().getTime() / 1_000);
  const properties = { contentType: mediaType, type, timestamp };
  const opening = connections.publisher(JSON.stringify([destination, url, password]), address, password);
  const sent = opening.then((publisher) => publisher.publish({ id, address, body, properties }));
  try {
    return await withTimeout(
      untilAborted(sent, signal),
      timeoutMs,
      () => new OutboundError('timeout', `No confirmation of the broker within ${timeoutMs} ms`),
    );
  } catch (error) {
    void opening.then((publisher) => publisher.giveUp(id)).catch(() => undefined);
    return failureOf(error);
  }
}
