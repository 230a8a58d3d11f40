import { percentDecoded } from '../../common/strings.js';

/** Where a broker of AMQP 0-9-1 publishes messages. */
export interface AmqpAddress {
  /** Host and port of the broker, as a URL of https for a connection with TLS, and of http for one without. */
  broker: string;
  user: string;
  vhost: string;
  /** Empty for the default exchange, whose routing keys are names of queues. */
  exchange: string;
  routingKey: string;
}

/** The schemes of addresses of brokers, each with that of the `broker` and its default port. */
export const AMQP_SCHEMES: Readonly<Record<string, readonly [scheme: string, port: number]>> = {
  'amqps:': ['https:', 5671],
  'amqp:': ['http:', 5672],
};

const FORM = 'amqps://USER@HOST:PORT/VHOST?exchange=EXCHANGE&key=ROUTING_KEY';
const DEFAULT_VHOST = '/';
/** Of every name in the protocol. */
const MAX_NAME_BYTES = 255;

/**
 * What an address names, or why it names nothing, as a predicate: the form that brokers use, without a password, and with
 * an exchange and a routing key as parameters. The broker's host is not checked here.
 */
export function parseAmqpAddress(address: string): AmqpAddress | { refusal: string } {
  const url = new URL(address);
  if (url.password !== '')
    return { refusal: 'must not contain the password; send it as `secret` of the webhook' };
  if (url.hash !== '') return { refusal: `must not contain #; its form is ${FORM}` };
  const { exchange = '', key = '', ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0)
    return { refusal: `must have no other parameters than exchange and key; its form is ${FORM}` };
  const [, path = '', ...deeper] = url.pathname.split('/');
  const user = percentDecoded(url.username);
  const vhost = path === '' ? DEFAULT_VHOST : percentDecoded(path);
  if (url.hostname === '' || user === '' || vhost === '' || deeper.length > 0 || exchange + key === '')
    return { refusal: `must name a user, a host, and an exchange or a key: ${FORM}` };
  if (![user, vhost, exchange, key].every(isName))
    return { refusal: `must have names of at most ${MAX_NAME_BYTES} bytes without control characters` };
  const [scheme, port] = AMQP_SCHEMES[url.protocol]!;
  return { broker: `${scheme}//${url.hostname}:${url.port || port}`, user, vhost, exchange, routingKey: key };
}

function isName(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_NAME_BYTES && !/\p{Cc}/u.test(text);
}
