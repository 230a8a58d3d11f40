import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../src/openapi/operations.js';
import { ROOT } from './support/doc-blocks.js';

interface Request {
  method: string;
  auth?: { type: string };
  header: { key: string; disabled?: boolean }[];
  url: { raw: string; query?: { key: string; disabled: boolean }[]; variable: { key: string }[] };
  body?: { raw: string };
}
interface Collection {
  auth: { type: string };
  variable: { key: string }[];
  item: { name: string; item: { name: string; request: Request }[] }[];
}

/** A script of the project, which is not compiled. */
const { collectionOf } = (await import(pathToFileURL(join(ROOT, 'scripts/lib/postman.mjs')).href)) as {
  collectionOf: (document: object) => Collection;
};

describe('the Postman collection', () => {
  const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as OpenAPIObject;
  const operations = operationsOf(document);
  const collection = collectionOf(document);
  const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request));
  const addressOf = ({ method, url }: Request): string =>
    `${method} ${url.raw.replace('{{base_url}}', '').replaceAll(/\{\{(\w+)\}\}|:(\w+)/g, '{$1$2}')}`;

  it('has every operation of the contract once', () => {
    const expected = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(requests.map(addressOf).sort()).toEqual(expected.sort());
  });

  it('has every parameter of an operation, and sends only what is required', () => {
    const byAddress = new Map(requests.map((request) => [addressOf(request), request]));
    for (const { method, path, operation } of operations) {
      const { url, header } = byAddress.get(`${method.toUpperCase()} ${path}`)!;
      const variables = [...url.variable, ...collection.variable].map(({ key }) => key);
      for (const parameter of (operation.parameters ?? []) as {
        name: string;
        in: string;
        required?: boolean;
      }[]) {
        if (parameter.in === 'path') expect(variables).toContain(parameter.name);
        if (parameter.in === 'header') expect(header.map(({ key }) => key)).toContain(parameter.name);
        if (parameter.in === 'query')
          expect(url.query).toContainEqual(
            expect.objectContaining({ key: parameter.name, disabled: parameter.required !== true }),
          );
      }
    }
  });

  it('has a body with the example of the contract wherever one is needed', () => {
    const bodies = requests.filter(({ body }) => body !== undefined);
    expect(bodies.length).toBe(operations.filter(({ operation }) => operation.requestBody).length);
    for (const { body } of bodies) expect(() => JSON.parse(body!.raw) as unknown).not.toThrow();
  });

  it('authorises operations of operators with the admin token and others with the key', () => {
    expect(collection.auth.type).toBe('apikey');
    for (const request of requests) {
      const { method, auth } = request;
      const isOperators =
        addressOf(request).includes('/api/v1/admin/') &&
        !(method === 'POST' && request.url.raw.endsWith('/session'));
      expect([addressOf(request), auth?.type === 'bearer']).toEqual([addressOf(request), isOperators]);
    }
  });
});
