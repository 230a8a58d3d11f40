import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DnsServer } from '../../../test/support/dns-server.js';
import { createNameResolver, type NameResolver } from './name-resolver.js';
import { OutboundHttpClient } from './outbound-http-client.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

describe('the name resolver', () => {
  let dns: DnsServer;
  let resolve: NameResolver;
  /** For names that are not resolved: a busy machine may take longer for the others. */
  let impatient: NameResolver;

  beforeEach(async () => {
    dns = await DnsServer.start({ 'working.example.com': '192.0.2.7', 'many.example.org': '192.0.2.8' });
    resolve = createNameResolver({ servers: [dns.address], timeoutMs: 2_000 });
    impatient = createNameResolver({ servers: [dns.address], timeoutMs: 300 });
  });
  afterEach(() => dns.stop());

  it('resolves a name to its addresses', async () => {
    expect(await resolve('working.example.com')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect(await resolve('Working.Example.Com.')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  });

  it('fails after its timeout when DNS does not respond', async () => {
    const ended: string[] = [];
    const failed = (resolver: NameResolver, name: string) =>
      expect(resolver('silent.example.net').finally(() => ended.push(name))).rejects.toMatchObject({
        code: 'dns_failed',
      });
    await Promise.all([failed(resolve, 'after 2 s'), failed(impatient, 'after 300 ms')]);
    expect(ended).toEqual(['after 300 ms', 'after 2 s']);
  });

  it('resolves a name at once while DNS does not respond for 100 others', async () => {
    const names = Array.from({ length: 100 }, (_, at) => [
      `silent.domain${at}.example`,
      `silent${at}.one-domain.example`,
    ]);
    let ended = 0;
    const lookups = names.flat().map((name) => resolve(name).finally(() => (ended += 1)));
    const results = Promise.allSettled(lookups);
    expect(await resolve('working.example.com')).toHaveLength(1);
    expect(ended).toBe(0);
    for (const result of await results) expect(result.status).toBe('rejected');
  });

  it('limits the queries for names of one domain', async () => {
    const lookups = Array.from({ length: 100 }, (_, at) => impatient(`silent${at}.one-domain.example`));
    const results = await Promise.allSettled(lookups);
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(dns.queries.size).toBeLessThanOrEqual(32);
  });

  it('applies the limit of a domain while some of its names are being resolved', async () => {
    const silent = (from: number) =>
      Promise.allSettled(Array.from({ length: 40 }, (_, at) => resolve(`silent${from + at}.example.com`)));
    const found = resolve('working.example.com');
    const first = silent(0);
    await found;
    const second = silent(40);
    await resolve('many.example.org');
    // The two resolved names, and as many of the others as the limit allows.
    expect(dns.queries.size).toBeLessThanOrEqual(2 + 16);
    await Promise.all([first, second]);
  });

  it('rejects a name while it resolves 2,000 others', async () => {
    const lookups = Array.from({ length: 2_000 }, (_, at) => resolve(`silent${at}.one-domain.example`));
    const results = Promise.allSettled(lookups);
    await expect(resolve('working.example.com')).rejects.toThrow('Too many host names are being resolved');
    await results;
    expect(await resolve('working.example.com')).toHaveLength(1);
  });

  it('shares a query between concurrent lookups of a name', async () => {
    await Promise.all(Array.from({ length: 50 }, () => resolve('many.example.org')));
    expect(dns.queries.get('many.example.org')).toBeLessThanOrEqual(2);
  });

  it('resolves localhost and the names of the hosts file without DNS', async () => {
    const folder = await temporaryFolder();
    const hostsFile = join(folder, 'hosts');
    await writeFile(
      hostsFile,
      '# comment\n10.1.2.3 receiver Receiver.internal # here\n::1 receiver\nnonsense x\n',
    );
    const withHosts = createNameResolver({ servers: [dns.address], hostsFile });
    expect(await withHosts('receiver')).toEqual([
      { address: '10.1.2.3', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(await withHosts('receiver.internal')).toEqual([{ address: '10.1.2.3', family: 4 }]);
    expect(await withHosts('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(dns.queries.size).toBe(0);
  });

  describe('in the HTTP client', () => {
    let server: Server;
    let client: OutboundHttpClient;

    beforeEach(async () => {
      await dns.stop();
      dns = await DnsServer.start({ 'receiver.example.com': '127.0.0.1' });
      server = createServer((_request, response) => response.end('received'));
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
      client = new OutboundHttpClient(
        ['127.0.0.0/8'],
        createNameResolver({ servers: [dns.address], timeoutMs: 6_000 }),
      );
    });
    afterEach(async () => {
      client.close();
      await new Promise((closed) => server.close(closed));
    });

    it('delivers while requests to 100 names without DNS are pending', async () => {
      const { port } = server.address() as AddressInfo;
      const request = (host: string) =>
        client.request({
          method: 'POST',
          url: `http://${host}:${port}/`,
          body: '{}',
          timeoutMs: 15_000,
        });
      const hanging = Array.from({ length: 100 }, (_, at) => request(`hook.tenant${at}.example`));
      const results = Promise.allSettled(hanging);
      let ended = 0;
      for (const each of hanging) each.catch(() => (ended += 1));
      expect((await request('receiver.example.com')).body.toString()).toBe('received');
      expect(ended).toBe(0);
      for (const result of await results)
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'dns_failed' } });
    });
  });
});
