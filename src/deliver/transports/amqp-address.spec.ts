import { parseAmqpAddress } from './amqp-address.js';

describe('the address of a broker', () => {
  it.each([
    [
      'amqps://me@broker.example?exchange=events&key=a.b',
      'https://broker.example:5671',
      '/',
      'events',
      'a.b',
    ],
    [
      'amqps://me@broker.example:443/mine?exchange=events',
      'https://broker.example:443',
      'mine',
      'events',
      '',
    ],
    ['amqps://me@[2001:db8::1]/?key=of%20mine', 'https://[2001:db8::1]:5671', '/', '', 'of mine'],
    ['amqp://me@10.0.0.7/%2F?exchange=a%2Fb&key=%23', 'http://10.0.0.7:5672', '/', 'a/b', '#'],
    ['AMQP://me@10.0.0.7:5673/a%2Fb?key=jobs', 'http://10.0.0.7:5673', 'a/b', '', 'jobs'],
  ])('%s names broker, virtual host, exchange and key', (address, broker, vhost, exchange, routingKey) => {
    expect(parseAmqpAddress(address)).toEqual({ broker, user: 'me', vhost, exchange, routingKey });
  });

  it('reads a user that is encoded', () => {
    expect(parseAmqpAddress('amqps://me%40work@b.example?key=a')).toMatchObject({ user: 'me@work' });
  });

  it.each([
    ['amqps://me:secret@b.example?key=a', '`secret` of the webhook'],
    ['amqps://b.example?key=a', 'a user'],
    ['amqps://%E0%A4@b.example?key=a', 'a user'],
    ['amqps:///?key=a', 'a host'],
    ['amqps:b.example?key=a', 'a host'],
    ['amqps://me@b.example', 'an exchange or a key'],
    ['amqps://me@b.example/mine/events?key=a', 'VHOST?exchange='],
    ['amqps://me@b.example/%E0%A4?key=a', 'VHOST?exchange='],
    ['amqps://me@b.example?key=a#b', '#'],
    ['amqps://me@b.example?key=a&heartbeat=1', 'exchange and key'],
    ['amqps://me%00you@b.example?key=a', 'control characters'],
    ['amqps://me@b.example?exchange=a%0Ab', 'control characters'],
    [`amqps://me@b.example?key=${'é'.repeat(128)}`, '255 bytes'],
  ])('%s is refused', (address, reason) => {
    expect(parseAmqpAddress(address)).toEqual({ refusal: expect.stringContaining(reason) });
  });
});
