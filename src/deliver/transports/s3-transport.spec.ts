import { createHash, createHmac } from 'node:crypto';
import { SystemClock } from '../../common/clock.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import { HttpReceiver, type ReceivedRequest } from '../../../test/support/receivers.js';
import { S3 } from './s3-transport.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The signature of a presigned request, as the store computes it (AWS Signature Version 4). */
function signatureOf({ method, url, params, headers }: ReceivedRequest, secret: string): string {
  const [path, query = ''] = url.split('?');
  const [, day = '', region = '', service = ''] = params.get('X-Amz-Credential')!.split('/');
  const signed = params.get('X-Amz-SignedHeaders')!;
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter((parameter) => !parameter.startsWith('X-Amz-Signature='))
      .sort()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    signed,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', params.get('X-Amz-Date'), scope, hash].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex');
}

describe('events for a bucket', () => {
  const http = new OutboundHttpClient(['127.0.0.0/8']);
  let store: HttpReceiver;

  beforeEach(async () => void (store = await HttpReceiver.start()));
  afterAll(() => http.close());

  /** A full batch, which waits for nothing. */
  const send = (
    url = `${store.url.replace('http:', 's3+http:').replace('//', '//AKIAEXAMPLE@')}/events/of mine?region=eu-1`,
    secrets: readonly string[] = [SECRET, 'previous'],
    client = http,
  ): Promise<DeliveryOutcome[]> => {
    const transport = S3.create({
      http: client,
      clock: new SystemClock(),
      timeoutMs: 5_000,
      concurrency: 16,
    });
    const { signal } = new AbortController();
    return Promise.all(
      Array.from({ length: 16 }, (_, number) =>
        transport.send({
          destination: 'one',
          url,
          secrets,
          id: `dlv_${number}`,
          body: JSON.stringify({ id: number, text: 'grüße' }),
          mediaType: 'application/json',
          type: 'job.completed',
          signal,
        }),
      ),
    );
  };

  it('are one object of lines, put with a signature that the store can verify', async () => {
    const outcomes = await send();
    expect(outcomes).toEqual(Array(16).fill(expect.objectContaining({ ok: true, responseCode: 200 })));
    expect(store.all).toHaveLength(1);
    const [request] = store.all as [ReceivedRequest];
    expect(request).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/x-ndjson' } });
    expect(request.path).toMatch(/^\/events\/of%20mine\/\d{4}-\d\d-\d\d\/\d{13}-[0-9a-f-]{36}\.ndjson$/);
    expect(request.body.split('\n').map((line) => line && (JSON.parse(line) as { id: number }).id)).toEqual([
      ...Array(16).keys(),
      '',
    ]);
    expect(request.params.get('X-Amz-Credential')).toMatch(/^AKIAEXAMPLE\/\d{8}\/eu-1\/s3\/aws4_request$/);
    expect(request.params.get('X-Amz-Signature')).toBe(signatureOf(request, SECRET));
    expect(request.url + JSON.stringify(request.headers)).not.toContain(SECRET);
  });

  it('fail together, with the status of the store alone', async () => {
    store.answerWith({ status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' });
    const [outcome] = await send();
    expect(outcome).toMatchObject({
      ok: false,
      responseCode: 403,
      error: 'The receiver answered 403',
    });
  });

  it('reach no address that the operator does not allow', async () => {
    const guarded = new OutboundHttpClient([]);
    const [outcome] = await send(undefined, undefined, guarded);
    expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('address_refused') });
    expect(store.all).toEqual([]);
    guarded.close();
  });

  it.each([
    ['without a secret', 's3+http://k@127.0.0.1:9/events', []],
    ['for a region that clients refuse', 's3+http://k@127.0.0.1:9/events?region=fips-us-east-1', [SECRET]],
  ])('are not sent %s', async (_case, url, secrets) => {
    const [outcome] = await send(url, secrets);
    expect(outcome).toMatchObject({ ok: false, permanent: true, responseCode: null });
  });
});

describe('the address of a bucket for a webhook', () => {
  it.each([
    ['s3://k@store.example/events', null],
    ['s3://k@169.254.169.254/events', 'must point to a public address'],
    ['s3+http://k@localhost:9000/events', 'must point to a public address'],
    ['s3://k@0x7f.1/events', 'must point to a public address'],
    ['s3://k@store.example:25/events', 'must not use port 25'],
    ['s3:///events', 'must'],
  ])('%s is refused as addresses of HTTP are', (address, reason) => {
    const http = new OutboundHttpClient([]);
    const refusal = S3.refuse(address, http);
    expect(refusal).toEqual(reason === null ? null : expect.stringContaining(reason));
    http.close();
  });
});
