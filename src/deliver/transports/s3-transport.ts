import { newId } from '../../common/ids.js';
import { S3_COMPATIBLE } from '../../infrastructure/s3-compatible.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import { attempt, unsendable } from '../../messages/channels/post-json.js';
import { EventBatches } from './event-batches.js';
import { parseS3Address, type S3Address, S3_SCHEMES } from './s3-address.js';
import type { OutgoingEvent, TransportContext, TransportDefinition } from './transport.js';

/** How long the address of an upload is valid, in seconds; the request begins at once. */
const VALID_SECONDS = 300;

/** Writes events as objects of NDJSON into a bucket. */
export const S3: TransportDefinition = {
  name: 's3',
  schemes: Object.keys(S3_SCHEMES),
  requiredSecret: 'the secret access key of the bucket',
  refuse: (address, http) => {
    const parsed = parseS3Address(address);
    return 'refusal' in parsed ? parsed.refusal : http.refuseUrl(parsed.endpoint);
  },
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
  const key = `${address.prefix}${now.toISOString().slice(0, 10)}/${now.getTime()}-${newId()}.ndjson`;
  const target = await uploadUrl(address, { key, secret, now });
  if (target === null) return unsendable('The request could not be signed; check the region in the address');
  const { outcome } = await attempt(http, {
    method: 'PUT',
    url: target,
    headers: { 'content-type': 'application/x-ndjson' },
    body: events.map(({ body }) => `${body}\n`).join(''),
    timeoutMs,
    signal,
  });
  return outcome;
}

/** A signed address to which one object can be put; null for a region that clients refuse. Nothing is sent. */
async function uploadUrl(
  { endpoint, region, bucket, accessKeyId }: S3Address,
  { key, secret, now }: { key: string; secret: string; now: Date },
): Promise<string | null> {
  // Loading takes half a second and is only needed for buckets.
  const [{ PutObjectCommand, S3Client }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const credentials = { accessKeyId, secretAccessKey: secret };
  const client = new S3Client({ ...S3_COMPATIBLE, endpoint, region, credentials });
  const command = new PutObjectCommand({ Bucket: bucket, Key: key });
  try {
    return await getSignedUrl(client, command, { expiresIn: VALID_SECONDS, signingDate: now });
  } catch {
    return null;
  }
}
