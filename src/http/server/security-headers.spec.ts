import type { IncomingMessage, ServerResponse } from 'node:http';
import { setSecurityHeaders } from './security-headers.js';

describe('the security headers', () => {
  it('are those of helmet, without upgrade-insecure-requests and claims on subdomains', () => {
    const sent: Record<string, string> = {};
    const response = { setHeader: (name: string, value: string) => (sent[name] = value) };
    let calls = 0;
    setSecurityHeaders()({} as IncomingMessage, response as unknown as ServerResponse, () => (calls += 1));
    expect(calls).toBe(1);
    expect(sent).toEqual({
      'Content-Security-Policy':
        "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Origin-Agent-Cluster': '?1',
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Content-Type-Options': 'nosniff',
      'X-DNS-Prefetch-Control': 'off',
      'X-Download-Options': 'noopen',
      'X-Frame-Options': 'SAMEORIGIN',
      'X-Permitted-Cross-Domain-Policies': 'none',
      'X-XSS-Protection': '0',
    });
  });
});
