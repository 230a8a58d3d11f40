import { FAULT_KINDS } from '../options.js';
import { Budget } from './budget.js';
import { Faults } from './faults.js';
import { Tokens } from './access-tokens.js';

describe('Faults', () => {
  const options = { rate: 0.3, kinds: FAULT_KINDS };
  const fates = (faults: Faults, requests: string[]) =>
    new Map(requests.map((request) => [request, faults.next(request)]));
  const requests = Array.from({ length: 2_000 }, (_, i) => `GET /${i} `);

  it('fails about the configured share of requests, whatever their order', () => {
    const forwards = fates(new Faults(1, options), requests);
    const backwards = fates(new Faults(1, options), [...requests].reverse());
    for (const request of requests) expect(backwards.get(request)).toBe(forwards.get(request));
    const failed = [...forwards.values()].filter((fault) => fault !== null);
    expect(failed.length / requests.length).toBeCloseTo(0.3, 1);
    expect(new Set(failed)).toEqual(new Set(FAULT_KINDS));
  });

  it('lets a request succeed after maxInARow failures', () => {
    const faults = new Faults(1, { rate: 1, kinds: ['500'], maxInARow: 2 });
    expect([1, 2, 3, 4].map(() => faults.next('GET / '))).toEqual(['500', '500', null, '500']);
  });
});

describe('Budget', () => {
  it('counts each client separately and refuses requests beyond the budget', () => {
    let now = 1_000_000_000_000;
    const budget = new Budget(6, 20, () => now);
    expect(budget.spend('a')).toEqual({
      allowed: true,
      headers: { 'x-ratelimit-used': '1', 'x-ratelimit-remaining': '1.0', 'x-ratelimit-reset': '20' },
    });
    expect(budget.spend('a').allowed).toBe(true);
    expect(budget.spend('a')).toMatchObject({ allowed: false, headers: { 'x-ratelimit-remaining': '0.0' } });
    expect(budget.spend('b').allowed).toBe(true);
    now += 20_000;
    expect(budget.spend('a').allowed).toBe(true);
  });
});

describe('Tokens', () => {
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const grant = (tokens: Tokens) =>
    (JSON.parse(tokens.grant(basic('id', 's'), form).body as string) as { access_token: string })
      .access_token;

  it('expire by time and by number of uses', () => {
    let now = 0;
    const tokens = new Tokens({ ttlSeconds: 60, requestsPerToken: 2, now: () => now });
    const first = `bearer ${grant(tokens)}`;
    expect([tokens.use(first), tokens.use(first), tokens.use(first)]).toEqual(['id', 'id', null]);
    const second = `bearer ${grant(tokens)}`;
    now = 60_000;
    expect(tokens.use(second)).toBeNull();
  });

  it('refuses bad credentials and other grants', () => {
    const tokens = new Tokens({ ttlSeconds: 60, requestsPerToken: null, now: () => 0 });
    expect(tokens.grant(basic('id', 'refused'), form).status).toBe(401);
    expect(tokens.grant(undefined, form).status).toBe(401);
    expect(tokens.grant(basic('id', 's'), new URLSearchParams({ grant_type: 'password' })).body).toContain(
      'unsupported_grant_type',
    );
  });
});
