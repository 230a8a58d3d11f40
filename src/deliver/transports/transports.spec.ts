import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { refuseDestination } from './transports.js';

describe('the address of a webhook', () => {
  it.each([
    ['https://example.com/hook', null],
    ['S3://k@store.example/events', null],
    ['amqps://me@broker.example?key=jobs', null],
    ['nats://me@nats.example/jobs', null],
    [
      'ftp://example.com',
      'must begin with http://, https://, s3://, s3+http://, amqps://, amqp://, nats+tls:// or nats://',
    ],
    ['example.com/hook', 'must be an absolute URL that begins with http://, '],
  ])('%s is taken by its scheme, or refused with the schemes', (address, reason) => {
    const http = new OutboundHttpClient([]);
    const refusal = refuseDestination(address, http);
    expect(refusal).toEqual(reason === null ? null : expect.stringContaining(reason));
    http.close();
  });
});
