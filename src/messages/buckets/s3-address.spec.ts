import { parseS3Address, withoutAccessKey } from './s3-address.js';

describe('the address of a bucket', () => {
  it.each([
    [
      's3://AKIAEXAMPLE@s3.eu-central-1.amazonaws.com/events/of%20mine/new/?region=eu-central-1',
      'https://s3.eu-central-1.amazonaws.com',
      'eu-central-1',
      'of mine/new/',
    ],
    ['s3+http://AKIAEXAMPLE@10.0.0.7:9000/events', 'http://10.0.0.7:9000', 'us-east-1', ''],
  ])('%s names the store, region and folder', (address, endpoint, region, prefix) => {
    expect(parseS3Address(address)).toEqual({
      endpoint,
      region,
      bucket: 'events',
      prefix,
      accessKeyId: 'AKIAEXAMPLE',
    });
  });

  it('reads an access key that is encoded', () => {
    expect(parseS3Address('s3://a%2Fb@store.example/events')).toMatchObject({ accessKeyId: 'a/b' });
  });

  it('is shown without its access key', () => {
    expect(withoutAccessKey('s3://k@store.example/events/of%20mine?region=eu')).toBe(
      's3://store.example/events/of%20mine?region=eu',
    );
  });

  it('leaves no way out of the bucket', () => {
    expect(parseS3Address('s3://k@store.example/events/a/%2e%2e/../../x')).toMatchObject({
      refusal: expect.any(String),
    });
    expect(parseS3Address('s3://k@store.example/events/a/..%2f..%2fother')).toMatchObject({
      bucket: 'events',
    });
  });

  it.each([
    ['s3://k:secret@store.example/events', 'send it as `secret`'],
    ['s3://store.example/events', 'access key'],
    ['s3://%E0%A4@store.example/events', 'access key'],
    ['s3://k@store.example', 'bucket'],
    ['s3://k@store.example/Events', 'bucket'],
    ['s3://k@store.example/events--x-s3', 'bucket'],
    ['s3://k@store.example/events/%E0%A4', 'bucket'],
    ['s3://k@store.example/events#part', '#'],
    ['s3://k@store.example/events?X-Amz-Date=1', 'region'],
    ['s3://k@store.example/events?region=a/b', 'region'],
    [`s3://k@store.example/events/${'é'.repeat(460)}`, '900 bytes'],
    ['s3:events', 'access key'],
    ['https://k@store.example/events', 'the form s3://'],
    ['events', 'the form s3://'],
  ])('%s is refused', (address, reason) => {
    expect(parseS3Address(address)).toEqual({ refusal: expect.stringContaining(reason) });
  });
});
