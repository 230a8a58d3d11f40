import { withTimeout } from '../../common/timeout.js';
import { untilAborted } from '../../common/until-aborted.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import { unsendable } from '../../messages/channels/post-json.js';
import { type BrokerAddress, BrokerConnections, type OpenPublisher } from './broker-connections.js';
import type { OutgoingEvent, TransportContext, TransportDefinition } from './transport.js';

/** The protocol of brokers that confirm the messages which they take. */
export interface BrokerProtocol<Address extends BrokerAddress> extends Pick<
  TransportDefinition,
  'name' | 'schemes'
> {
  requiredSecret: string;
  /** What an address names, or why it names nothing, as a predicate. */
  parse: (address: string) => Address | { refusal: string };
  open: OpenPublisher<Address>;
  /** Why a connection could not be opened, as a sentence for delivery logs. */
  failureOf: (error: unknown) => string;
}

/** Publishes each event as a message over the connection of its webhook. */
export function brokerTransport<Address extends BrokerAddress>(
  protocol: BrokerProtocol<Address>,
): TransportDefinition {
  const { name, schemes, requiredSecret, parse, open } = protocol;
  return {
    name,
    schemes,
    requiredSecret,
    refuse: (address, http) => {
      const parsed = parse(address);
      return 'refusal' in parsed ? parsed.refusal : http.refuseUrl(parsed.broker);
    },
    create: (context) => {
      const connections = new BrokerConnections(open, context.http, context.timeoutMs);
      return {
        send: (event) => publish(event, protocol, { ...context, connections }),
        close: () => connections.close(),
      };
    },
  };
}

interface SendingContext<Address extends BrokerAddress> extends TransportContext {
  connections: BrokerConnections<Address>;
}

async function publish<Address extends BrokerAddress>(
  event: OutgoingEvent,
  protocol: BrokerProtocol<Address>,
  context: SendingContext<Address>,
): Promise<DeliveryOutcome> {
  const address = protocol.parse(event.url);
  if ('refusal' in address) return unsendable(`The address ${address.refusal}`);
  const [secret] = event.secrets;
  if (secret === undefined) return unsendable('The webhook has no secret');
  const startedAt = performance.now();
  const failure = await confirmed(event, { address, secret, protocol, context });
  return {
    ok: failure === null,
    responseCode: null,
    durationMs: Math.round(performance.now() - startedAt),
    ...(failure !== null && { error: failure }),
  };
}

/** Null when the broker has taken the message of an event, else why not. */
async function confirmed<Address extends BrokerAddress>(
  { destination, url, signal, ...event }: OutgoingEvent,
  {
    address,
    secret,
    protocol,
    context: { connections, clock, timeoutMs },
  }: {
    address: Address;
    secret: string;
    protocol: BrokerProtocol<Address>;
    context: SendingContext<Address>;
  },
): Promise<string | null> {
  const opening = connections.publisher(JSON.stringify([destination, url, secret]), address, secret);
  const sent = opening.then((publisher) => publisher.publish({ ...event, address, sentAt: clock.now() }));
  try {
    return await withTimeout(
      untilAborted(sent, signal),
      timeoutMs,
      () => new OutboundError('timeout', `No confirmation of the broker within ${timeoutMs} ms`),
    );
  } catch (error) {
    void opening.then((publisher) => publisher.giveUp(event.id)).catch(() => undefined);
    return protocol.failureOf(error);
  }
}
