import { freePort } from '../../launcher/free-port.js';
import { checkReachable } from './server-checks.js';

describe('a server that does not answer', () => {
  it.each([
    [true, 'The embedded Postgres does not answer: ', 'Restart the service; '],
    [false, 'Postgres at 127.0.0.1:', 'Start the server, correct DATABASE_URL, or '],
  ])('has its own remedy when it is embedded: %s', async (isEmbedded, message, remedy) => {
    const address = { DATABASE_URL: `postgres://u@127.0.0.1:${await freePort()}/x` };
    expect(await checkReachable('postgres', address, isEmbedded)).toMatchObject({
      status: 'problem',
      message: expect.stringContaining(message) as string,
      remedy: expect.stringContaining(remedy) as string,
    });
  });
});
