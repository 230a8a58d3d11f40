import { percentDecoded } from '../../common/strings.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';

/** A folder of a bucket in an S3-compatible store. */
export interface S3Address {
  /** Address of the store, without a path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Begins the keys of objects: empty, or ends with a slash. */
  prefix: string;
  accessKeyId: string;
}

/** The schemes of addresses of buckets, and those of the store's own address. */
export const S3_SCHEMES: Readonly<Record<string, string>> = { 's3:': 'https:', 's3+http:': 'http:' };

const FORM = 's3://ACCESS_KEY_ID@HOST/BUCKET/FOLDER?region=REGION';
const DEFAULT_REGION = 'us-east-1';
/** Without directory buckets, for which the client would open a session by itself. */
const BUCKET = /^(?!.*--x-s3$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,32}$/;
const ACCESS_KEY_ID = /^[\x21-\x7e]{1,128}$/;
/** Keys have at most 1,024 bytes; the rest is for the day and the name of an object. */
const MAX_PREFIX_BYTES = 900;

/** Why an address cannot be used, as a predicate; null when it can. */
export function refuseS3Address(address: string, http: OutboundHttpClient): string | null {
  const parsed = parseS3Address(address);
  return 'refusal' in parsed ? parsed.refusal : http.refuseUrl(parsed.endpoint);
}

/** An address without its access key, for readers of a record. */
export function withoutAccessKey(address: string): string {
  const url = new URL(address);
  url.username = '';
  return url.href;
}

/** The folder that an address names, or why it names none, as a predicate. The store's host is not checked here. */
export function parseS3Address(address: string): S3Address | { refusal: string } {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !(url.protocol in S3_SCHEMES)) return { refusal: `must have the form ${FORM}` };
  if (url.password !== '') return { refusal: 'must not contain the secret access key; send it as `secret`' };
  if (url.hash !== '') return { refusal: `must not contain #; its form is ${FORM}` };
  const { region = DEFAULT_REGION, ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0 || !REGION.test(region))
    return { refusal: `must have no other parameter than region; its form is ${FORM}` };
  const accessKeyId = percentDecoded(url.username);
  const [bucket = '', ...folders] = percentDecoded(url.pathname)
    .split('/')
    .filter((part) => part !== '');
  if (!ACCESS_KEY_ID.test(accessKeyId) || !BUCKET.test(bucket))
    return { refusal: `must name an access key, a host and a bucket: ${FORM}` };
  const prefix = folders.map((folder) => `${folder}/`).join('');
  if (Buffer.byteLength(prefix) > MAX_PREFIX_BYTES)
    return { refusal: `must name a folder of at most ${MAX_PREFIX_BYTES} bytes` };
  const endpoint = `${S3_SCHEMES[url.protocol]}//${url.host}`;
  return { endpoint, region, bucket, prefix, accessKeyId };
}
