import { percentDecoded } from '../../common/strings.js';

/** Where messages for a stream of a NATS server are published. */
export interface NatsAddress {
  /** Host and port of the server as a URL of http, since connections begin without TLS. */
  broker: string;
  /** Whether the connection must change to TLS before anything is said. */
  needsTls: boolean;
  /** Empty where the secret is a token. */
  user: string;
  subject: string;
}

/** The schemes of addresses of NATS servers: with TLS only, and with it where the server has it. */
export const NATS_SCHEMES = ['nats+tls:', 'nats:'] as const;

const FORM = 'nats+tls://USER@HOST:PORT/SUBJECT';
const DEFAULT_PORT = 4222;
const MAX_NAME_BYTES = 255;
/** Parts between dots, without the wildcards of subscriptions. */
const SUBJECT = /^[^\s\p{Cc}.*>]+(?:\.[^\s\p{Cc}.*>]+)*$/u;

/**
 * What an address names, or why it names nothing, as a predicate: the form that NATS servers use, without a password, and
 * with the subject as its path. The server's host is not checked here.
 */
export function parseNatsAddress(address: string): NatsAddress | { refusal: string } {
  const url = new URL(address);
  if (url.password !== '')
    return { refusal: 'must not contain the password; send it as `secret` of the webhook' };
  if (url.hash !== '' || url.search !== '')
    return { refusal: `must not contain ? or #; its form is ${FORM}` };
  const subject = percentDecoded(url.pathname.slice(1));
  const user = percentDecoded(url.username);
  if (url.hostname === '' || subject === '' || (user === '' && url.username !== ''))
    return { refusal: `must name a host and a subject: ${FORM}` };
  if (!SUBJECT.test(subject))
    return { refusal: 'must have a subject of words between dots, without spaces, * and >' };
  if (![subject, user].every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES) || /\p{Cc}/u.test(user))
    return { refusal: `must have names of at most ${MAX_NAME_BYTES} bytes without control characters` };
  return {
    broker: `http://${url.hostname}:${url.port || DEFAULT_PORT}`,
    needsTls: url.protocol === 'nats+tls:',
    user,
    subject,
  };
}
