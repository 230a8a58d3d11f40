import { brokerTransport } from './broker-transport.js';
import { NATS_SCHEMES, type NatsAddress, parseNatsAddress } from './nats-address.js';
import { openNats } from './nats-client.js';
import { natsFailureOf } from './nats-failure.js';
import { NatsPublisher } from './nats-publisher.js';

/** Messages to a stream of a NATS server. */
export const NATS = brokerTransport<NatsAddress>({
  name: 'nats',
  schemes: NATS_SCHEMES,
  requiredSecret: 'the password for the server, or a token',
  parse: parseNatsAddress,
  open: async (socket, { broker, needsTls, user }, { secret, signal, onRetired }) => {
    const { hostname: host } = new URL(broker);
    const credential = user === '' ? { token: secret } : { user, pass: secret };
    return new NatsPublisher(await openNats({ socket, host, needsTls, signal }, credential), onRetired);
  },
  failureOf: natsFailureOf,
});
