import { parseNatsAddress } from './nats-address.js';

describe('the address of a NATS server', () => {
  it.each([
    ['nats+tls://me@nats.example/jobs.done', 'http://nats.example:4222', true, 'me', 'jobs.done'],
    ['NATS://me%40work@10.0.0.7:4333/a', 'http://10.0.0.7:4333', false, 'me@work', 'a'],
    ['nats://[2001:db8::1]/caf%C3%A9.$x', 'http://[2001:db8::1]:4222', false, '', 'café.$x'],
  ])('%s names server, user and subject', (address, broker, needsTls, user, subject) => {
    expect(parseNatsAddress(address)).toEqual({ broker, needsTls, user, subject });
  });

  it.each([
    ['nats://me:secret@n.example/a', '`secret` of the webhook'],
    ['nats://me@n.example', 'a host and a subject'],
    ['nats:///a', 'a host and a subject'],
    ['nats://%E0%A4@n.example/a', 'a host and a subject'],
    ['nats://me@n.example/%E0%A4', 'a host and a subject'],
    ['nats://me@n.example/a?stream=b', '?'],
    ['nats://me@n.example/a#b', '#'],
    ['nats://me@n.example/a.*', 'without spaces, * and >'],
    ['nats://me@n.example/a.%3E', 'without spaces, * and >'],
    ['nats://me@n.example/a..b', 'words between dots'],
    ['nats://me@n.example/a.', 'words between dots'],
    ['nats://me@n.example/a%0D%0Ab', 'words between dots'],
    ['nats://me%00@n.example/a', 'control characters'],
    [`nats://me@n.example/${'é'.repeat(128)}`, '255 bytes'],
  ])('%s is refused', (address, reason) => {
    expect(parseNatsAddress(address)).toEqual({ refusal: expect.stringContaining(reason) });
  });
});
