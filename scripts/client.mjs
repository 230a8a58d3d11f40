import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT, say } from './lib/prepare.mjs';
import { n8nOperations } from './lib/n8n-client.mjs';
import { pythonClientFiles } from './lib/python-client.mjs';
import { clientRoutes, typedContract } from './lib/typescript-client.mjs';

// `npm run client:generate` writes the generated files of the clients from docs/openapi.json; with --check it fails when
// they are stale.
await prepare();
const { default: openapiTS, astToString, COMMENT_HEADER } = await import('openapi-typescript');
const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));
// Fields with a default are optional in requests; by default the generator would require them.
const tree = await openapiTS(typedContract(document), { defaultNonNullable: false });
const files = [
  [join(ROOT, 'clients/typescript/src/schema.d.ts'), `${COMMENT_HEADER}${astToString(tree)}`],
  [join(ROOT, 'clients/typescript/src/routes.ts'), clientRoutes(document)],
  ...pythonClientFiles(document),
  [join(ROOT, 'clients/n8n/nodes/operations.json'), `${JSON.stringify(n8nOperations(document), null, 1)}\n`],
];
const isCheck = process.argv.includes('--check');
for (const [file, text] of files) {
  if (!isCheck) {
    writeFileSync(file, text);
    say(`Wrote ${file}`);
  } else if (readFileSync(file, 'utf8') !== text) {
    say(`${file} does not match the contract: run "npm run client:generate" and commit it.`);
    process.exitCode = 1;
  }
}
process.exit();
