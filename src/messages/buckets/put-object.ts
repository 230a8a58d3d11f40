import type { OutboundBody } from '../../infrastructure/outbound-http/exchange.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { S3_COMPATIBLE } from '../../infrastructure/s3-compatible.js';
import type { DeliveryOutcome } from '../channels/channel.js';
import { attempt, unsendable } from '../channels/post-json.js';
import type { S3Address } from './s3-address.js';

/** How long the address of an upload is valid, in seconds; the request begins at once. */
const VALID_SECONDS = 300;

/** A file to be put into a bucket. */
export interface BucketObject {
  /** Below the prefix of the address. */
  name: string;
  contentType: string;
  body: OutboundBody;
}

/** Puts one object into a bucket. Never throws: every failure is returned as an outcome. */
export async function putObject(
  http: OutboundHttpClient,
  { name, contentType, body }: BucketObject,
  {
    address,
    secret,
    now,
    timeoutMs,
    signal,
  }: { address: S3Address; secret: string; now: Date; timeoutMs: number; signal: AbortSignal },
): Promise<DeliveryOutcome> {
  const url = await uploadUrl(address, { key: `${address.prefix}${name}`, secret, now });
  if (url === null) return unsendable('The request could not be signed; check the region in the address');
  const headers = { 'content-type': contentType };
  const { outcome } = await attempt(http, { method: 'PUT', url, headers, body, timeoutMs, signal });
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
