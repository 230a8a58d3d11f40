import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../src/http/server/cross-origin.js';
import { ROOT } from './support/doc-blocks.js';

interface Header {
  name: string;
  in?: string;
}
interface Operation {
  parameters?: Header[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

const contract = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { headers: Record<string, unknown>; securitySchemes: Record<string, Header> };
};
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    typeof operation === 'object' && 'responses' in operation ? [{ path, method, operation }] : [],
  ),
);
const lower = (names: readonly string[]): Set<string> => new Set(names.map((name) => name.toLowerCase()));
const [allowed, exposed] = [lower(REQUEST_HEADERS), lower(RESPONSE_HEADERS)];
/** Set by every server, or readable by every page. */
const ALWAYS = lower([
  'Content-Type',
  'Cache-Control',
  'Accept',
  'Accept-Encoding',
  'Vary',
  'Origin',
  'Cookie',
]);

describe('pages of other origins', () => {
  it('may send every header that the contract names', () => {
    const named = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name),
    );
    const keys = Object.values(contract.components.securitySchemes)
      .filter((scheme) => scheme.in === 'header')
      .map(({ name }) => name);
    expect([...new Set([...named, ...keys])].filter((name) => !allowed.has(name.toLowerCase()))).toEqual([]);
    expect(named).toContain('If-None-Match');
  });

  it('may read every header that the contract names', () => {
    const named = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    );
    const all = new Set([...named, ...Object.keys(contract.components.headers)]);
    expect([...all].filter((name) => !exposed.has(name.toLowerCase()))).toEqual([]);
    expect(named).toContain('ETag');
  });

  it('may send or read every header that the documentation of the API names', () => {
    const text = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
    const named = [
      ...text.matchAll(/`([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+|ETag|Link|Range|Allow)(?:: [^`]*)?`/g),
    ];
    const names = new Set(named.map(([, name]) => name!.toLowerCase()));
    expect([...names].filter((name) => ![allowed, exposed, ALWAYS].some((list) => list.has(name)))).toEqual(
      [],
    );
    expect(names.size).toBeGreaterThan(8);
  });

  it('find 304 and the entity tag declared for every JSON document', () => {
    const undeclared = operations.filter(({ path, method, operation }) => {
      const content = (operation.responses['200'] as { content?: object } | undefined)?.content ?? {};
      const isJson = Object.keys(content).join() === 'application/json';
      const { responses } = operation;
      return (
        method === 'get' &&
        path.startsWith('/api/') &&
        isJson &&
        !('304' in responses && 'ETag' in (responses['200']?.headers ?? {}))
      );
    });
    expect(undeclared.map(({ path }) => path)).toEqual([]);
  });
});
