import { newId } from '../../common/ids.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import { unsendable } from '../../messages/channels/post-json.js';
import { putObject } from '../../messages/buckets/put-object.js';
import { parseS3Address, refuseS3Address, S3_SCHEMES } from '../../messages/buckets/s3-address.js';
import { EventBatches } from './event-batches.js';
import type { OutgoingEvent, TransportContext, TransportDefinition } from './transport.js';

/** Writes events as objects of NDJSON into a bucket. */
export const S3: TransportDefinition = {
  name: 's3',
  schemes: Object.keys(S3_SCHEMES),
  requiredSecret: 'the secret access key of the bucket',
  refuse: refuseS3Address,
  create: (context) => {
    const batches = new EventBatches(context.concurrency, (events) => writeObject(events, context));
    return { send: (event) => batches.send(event) };
  },
};

/** Writes events of one webhook as one object. */
async function writeObject(
  events: readonly OutgoingEvent[],
  { http, clock, timeoutMs }: TransportContext,
): Promise<DeliveryOutcome> {
  const { url, secrets, signal } = events.at(-1)!;
  const address = parseS3Address(url);
  if ('refusal' in address) return unsendable(`The address ${address.refusal}`);
  const [secret] = secrets;
  if (secret === undefined) return unsendable('The webhook has no secret');
  const now = clock.now();
  const object = {
    name: `${now.toISOString().slice(0, 10)}/${now.getTime()}-${newId()}.ndjson`,
    contentType: 'application/x-ndjson',
    body: events.map(({ body }) => `${body}\n`).join(''),
  };
  return putObject(http, object, { address, secret, now, timeoutMs, signal });
}
