import { AMQP_SCHEMES, type AmqpAddress, parseAmqpAddress } from './amqp-address.js';
import { failureOf } from './amqp-failure.js';
import { openChannel } from './amqp-handshake.js';
import { AmqpPublisher } from './amqp-publisher.js';
import { brokerTransport } from './broker-transport.js';

/** Messages to a broker of AMQP 0-9-1. */
export const AMQP = brokerTransport<AmqpAddress>({
  name: 'amqp',
  schemes: Object.keys(AMQP_SCHEMES),
  requiredSecret: 'the password for the broker',
  parse: parseAmqpAddress,
  open: async (socket, address, { secret, onRetired }) =>
    new AmqpPublisher(await openChannel(socket, address, secret), onRetired),
  failureOf,
});
