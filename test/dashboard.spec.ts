import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/doc-blocks.js';

const page = readFileSync(join(ROOT, 'docs/dashboard.md'), 'utf8');
const contract = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ method, path, operationId })),
);

const WEB = join(ROOT, 'web/src');
const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(WEB, name), 'utf8'))
  .join('\n');

/** Requests that the browser makes itself (event streams, downloads and images), by a text in their sources. */
const BY_ADDRESS: Record<string, string> = {
  exportPosts: '`/exports/${',
  exportComments: '`/exports/${',
  getExportPart: 'href={part.path}',
  getDatasetPart: 'href={part.path}',
  getPostMedia: 'src={path}',
  beginSignOn: '/api/v1/session/oidc/begin?',
  signOutOfIdentityProvider: "'/api/v1/session/oidc/sign-out'",
};

/** The operations listed in the first column of the table below a heading. */
function namedBelow(heading: string): string[] {
  const table = page.slice(page.indexOf(heading)).split('\n\n')[0]!;
  const cells = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell!);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
}

const onPages = namedBelow('| Operation | Page');
const onNone = namedBelow('| Not requested');

it('docs/dashboard.md names every operation of the contract once', () => {
  expect([...onPages, ...onNone].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

it.each(operations)(
  '$operationId is requested by a page exactly when docs/dashboard.md names one',
  (operation) => {
    const { method, path, operationId } = operation;
    const address = BY_ADDRESS[operationId];
    const isRequested =
      address === undefined
        ? new RegExp(`\\.${method.toUpperCase()}\\(\\s*'${path.replace(/[{}.]/g, '\\$&')}'`).test(sources)
        : sources.includes(address);
    expect(isRequested).toBe(onPages.includes(operationId));
  },
);
