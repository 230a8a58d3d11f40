import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseCidrs, refuseAddress } from './address-guard.js';
import { OutboundError } from './outbound-error.js';
import { OutboundHttpClient } from './outbound-http-client.js';

/** Addresses that must never be connected to. `PORT` stands for the port of a server that is actually listening. */
const FORBIDDEN_URLS = [
  // Loopback, in every spelling that a URL parser accepts.
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://127.255.255.254:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.0x0.0.01:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127.0.0.1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://hooks.localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://0.1.2.3:PORT/',
  'http://[::]:PORT/',
  // IPv6 that embeds IPv4.
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::7f00:1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::1]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  // Metadata services.
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/latest/meta-data/',
  'http://2852039166/',
  'http://169.254.170.2/v2/credentials',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  // Private and shared networks.
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://[fc00::1]/',
  'http://[fdff:ffff::1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fec0::1]/',
  // Documentation, benchmarks, multicast, reserved.
  'http://192.0.2.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://192.88.99.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[2001:2::1]/',
  'http://[2001:20::1]/',
  'http://[5f00::1]/',
  'http://[4000::1]/',
];

/** URLs refused for their form, not for their destination. */
const MALFORMED_URLS = [
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'http://user:secret@example.com/',
  'http://user@example.com/',
  'http://:secret@example.com/',
  'http://example.com:0/',
  // Ports of file transfer, shells, mail and chat.
  ...[21, 22, 23, 25, 110, 119, 143, 465, 587, 993, 995, 6667].map((port) => `http://example.com:${port}/`),
  'http://[fe80::1%25eth0]/',
  'http://256.256.256.256/',
  'http://',
  '//example.com/',
  'example.com',
  '',
];

/**
 * Addresses that a name resolves to. Of several, the first is public, so that checking only the first one would accept
 * the name.
 */
const FORBIDDEN_NAMES: Record<string, string[]> = {
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'private.example.com': ['10.1.2.3'],
  'metadata.google.internal': ['169.254.169.254'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'unspecified.example.com': ['0.0.0.0'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
  'mixed6.example.com': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1'],
  'unique-local.example.com': ['fd12:3456::1'],
  'zoned.example.com': ['fe80::1%lo'],
};

describe('the guard of outbound addresses', () => {
  let server: Server;
  let port: number;
  let connections = 0;
  beforeEach(() => void jest.spyOn(Logger.prototype, 'warn').mockReturnValue());
  afterEach(() => jest.restoreAllMocks());
  const resolve = (hostname: string) =>
    Promise.resolve(
      (FORBIDDEN_NAMES[hostname] ?? []).map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      })),
    );

  beforeAll(async () => {
    server = createServer((_request, response) => response.end('reached'));
    server.on('connection', () => (connections += 1));
    await new Promise<void>((ready) => server.listen(0, '::', ready));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((closed) => server.close(closed)));
  beforeEach(() => (connections = 0));

  const codeOf = async (client: OutboundHttpClient, url: string): Promise<string> => {
    const error: unknown = await client.request({ method: 'GET', url, timeoutMs: 5_000 }).then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof OutboundError ? error.code : `resolved: ${String(error)}`;
  };

  it('reaches an allowed range', async () => {
    const client = new OutboundHttpClient(['127.0.0.0/8']);
    expect(
      (await client.request({ method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 5_000 })).status,
    ).toBe(200);
    expect(connections).toBe(1);
    client.close();
  });

  it('compares an address only with ranges of its own family', () => {
    const client = new OutboundHttpClient(['0.0.0.0/0']);
    expect(client.refuseUrl('http://[2606:4700::1111]/')).toBeNull();
    expect(client.refuseUrl('http://[::1]/')).toContain('public address');
    expect(new OutboundHttpClient(['::/0']).refuseUrl('http://10.0.0.1/')).toContain('public address');
  });

  it.each([
    { allowed: '10.1.2.3', beside: ['10.1.2.2', '10.1.2.4'] },
    { allowed: 'fd00::3', beside: ['fd00::2', 'fd00::4'] },
  ])('allows the single address $allowed, but no adjacent ones', ({ allowed, beside }) => {
    const cidrs = parseCidrs([allowed]);
    expect(refuseAddress(allowed, cidrs)).toBeNull();
    for (const address of beside) expect(refuseAddress(address, cidrs)).toContain('not a public address');
  });

  it('accepts addresses of up to 2,048 characters', () => {
    const client = new OutboundHttpClient([]);
    const ofLength = (length: number) => `https://example.com/${'x'.repeat(length)}`.slice(0, length);
    expect([client.refuseUrl(ofLength(2_048)), client.refuseUrl(ofLength(2_049))]).toEqual([
      null,
      'must have at most 2048 characters',
    ]);
  });

  it.each(FORBIDDEN_URLS)('refuses %s', async (template) => {
    const url = template.replace('PORT', String(port));
    const client = new OutboundHttpClient([]);
    expect(client.refuseUrl(url)).toContain('public address');
    expect(client.refuseUrl(url)).toContain('OUTBOUND_ALLOWED_CIDRS');
    expect(await codeOf(client, url)).toBe('address_refused');
    expect(connections).toBe(0);
  });

  it.each(MALFORMED_URLS)('refuses the form of %s', async (template) => {
    const url = template.replace('PORT', String(port));
    const client = new OutboundHttpClient(['0.0.0.0/0', '::/0']);
    expect(client.refuseUrl(url)).toEqual(expect.any(String));
    expect(await codeOf(client, url)).toBe('invalid_url');
    expect(connections).toBe(0);
  });

  it.each(Object.keys(FORBIDDEN_NAMES))(
    'refuses a name that resolves to a forbidden address: %s',
    async (name) => {
      const client = new OutboundHttpClient([], resolve);
      expect(await codeOf(client, `http://${name}:${port}/`)).toBe('address_refused');
      expect(await codeOf(client, `https://${name}:${port}/`)).toBe('address_refused');
      expect(connections).toBe(0);
      const { message } = await client
        .request({ method: 'GET', url: `http://${name}:${port}/`, timeoutMs: 5_000 })
        .then(
          () => new Error('answered'),
          (error: Error) => error,
        );
      expect(message).toBe(`${name} resolves to an address that is not public; the operator's log names it`);
    },
  );

  it('connects to the checked address when a name changes its address', async () => {
    // 127.0.0.3 is allowed here and so passes the check, as a public address would.
    const answers = ['127.0.0.3', '127.0.0.1', '127.0.0.3'];
    const resolved: string[] = [];
    const reached: (string | undefined)[] = [];
    server.on('connection', (socket) => reached.push(socket.localAddress));
    const client = new OutboundHttpClient(['127.0.0.3/32'], () => {
      const address = answers[resolved.length]!;
      resolved.push(address);
      return Promise.resolve([{ address, family: 4 }]);
    });
    const request = () =>
      client.request({
        method: 'GET',
        url: `http://rebinding.example.com:${port}/`,
        headers: { connection: 'close' },
        timeoutMs: 5_000,
      });
    expect((await request()).status).toBe(200);
    expect(resolved).toEqual(['127.0.0.3']);
    await expect(request()).rejects.toMatchObject({ code: 'address_refused' });
    expect(resolved).toEqual(['127.0.0.3', '127.0.0.1']);
    expect(reached).toEqual(['::ffff:127.0.0.3']);
    client.close();
  });

  it('follows no redirect by default, and none to a refused address', async () => {
    const redirector = createServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.2:${port}/secret` }).end(),
    );
    await new Promise<void>((ready) => redirector.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(redirector.address() as AddressInfo).port}/`;
    const client = new OutboundHttpClient(['127.0.0.1/32']);
    const plain = await client.request({ method: 'GET', url, timeoutMs: 5_000 });
    expect(plain.status).toBe(302);
    await expect(
      client.request({ method: 'GET', url, timeoutMs: 5_000, maxRedirects: 3 }),
    ).rejects.toMatchObject({ code: 'address_refused' });
    expect(connections).toBe(0);
    client.close();
    await new Promise((closed) => redirector.close(closed));
  });
});
