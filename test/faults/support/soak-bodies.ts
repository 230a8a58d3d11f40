import { gzipSync } from 'node:zlib';

/** A request that the service refuses, and that would be expensive to refuse without limits. */
export interface ExpensiveRequest {
  path: string;
  body: Buffer;
  headers: Record<string, string>;
  withKey: boolean;
}

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${prefix}${number}`);

const json = (path: string, body: object): ExpensiveRequest => ({
  path,
  body: Buffer.from(JSON.stringify(body)),
  headers: {},
  withKey: true,
});

const gzipped = (body: string, withKey: boolean): ExpensiveRequest => ({
  path: '/jobs',
  body: gzipSync(body),
  headers: { 'Content-Encoding': 'gzip' },
  withKey,
});

const NESTED = nestedBody(31, 80_000);
const DOTTED = `{"${'.'.repeat(3_000)}":${'['.repeat(20)}${']'.repeat(20)}}`;

/** Refused requests by name, including those without a key. */
export const EXPENSIVE_REQUESTS: Readonly<Record<string, ExpensiveRequest>> = {
  'gzip, nested, no key': gzipped(NESTED, false),
  'gzip, dots, no key': gzipped(DOTTED, false),
  'gzip, nested': gzipped(NESTED, true),
  'gzip, dots': gzipped(DOTTED, true),
  '28,000 plugins': json('/jobs', { target: 'technology', plugins: numbered('p', 28_000) }),
  '28,000 keywords': json('/alerts/preview', { keywords: numbered('w', 28_000) }),
  '9,000 keywords': json('/alerts/preview', { keywords: numbered('w', 9_000) }),
  '9,000 unknown fields': json('/jobs', Object.fromEntries(numbered('f', 9_000).map((name) => [name, 1]))),
};

/**
 * Nested objects with long keys around an array of empty arrays: expensive to traverse, but only a few hundred bytes
 * when compressed.
 */
function nestedBody(depth: number, leaves: number): string {
  const key = 'k'.repeat(99);
  return `${`{"${key}":`.repeat(depth)}[${Array.from({ length: leaves }, () => '[]').join(',')}]${'}'.repeat(depth)}`;
}
