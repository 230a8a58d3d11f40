import { checkSettings } from './settings-checks.js';

const warnings = (variables: Record<string, string>): string[] =>
  checkSettings(variables).findings.flatMap(({ check, status, message, remedy }) =>
    check === 'settings' && status === 'warning' && remedy !== undefined ? [message] : [],
  );

describe('settings that protect less than their defaults', () => {
  it.each<[Record<string, string>, RegExp]>([
    [{ CORS_ALLOWED_ORIGINS: 'https://a.example,*' }, /^CORS_ALLOWED_ORIGINS lets every page/],
    [{ API_RATE_LIMIT_PER_MINUTE: '0' }, /^API_RATE_LIMIT_PER_MINUTE is 0/],
    [{ AUDIT_RETENTION_DAYS: '29' }, /keeps the audit log for only 29 days/],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,0.0.0.0/0' }, /^TRUSTED_PROXIES trusts every address/],
    [{ HOST: '0.0.0.0' }, /^The API listens on 0.0.0.0 and serves \/metrics there/],
    [{ OUTBOUND_ALLOWED_CIDRS: '::/0' }, /^OUTBOUND_ALLOWED_CIDRS lets webhooks reach all/],
    [{ DATABASE_URL: 'postgres://a@b/c' }, /^ENCRYPTION_KEY is not set/],
    [{ HTTPS_PROXY: 'http://a:b@proxy.example' }, /^HTTPS_PROXY has no effect while/],
  ])('are named: %j', (variables, message) => {
    expect(warnings(variables)).toEqual([expect.stringMatching(message)]);
  });

  it.each<Record<string, string>>([
    {},
    { CORS_ALLOWED_ORIGINS: 'https://a.example' },
    { AUDIT_RETENTION_DAYS: '0' },
    { AUDIT_RETENTION_DAYS: '30' },
    { TRUSTED_PROXIES: '10.0.0.0/8' },
    { HOST: '0.0.0.0', METRICS_PORT: '9464' },
    { HOST: '0.0.0.0', ROLES: 'worker' },
    { OUTBOUND_USE_PROXY: 'true', HTTPS_PROXY: 'http://a:b@proxy.example' },
  ])('are not these: %j', (variables) => {
    expect(warnings(variables)).toEqual([]);
  });
});
