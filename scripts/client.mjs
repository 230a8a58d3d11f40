import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT, say } from './lib/prepare.mjs';

// `npm run client:generate` writes the client's types from docs/openapi.json; with --check it fails when they are
// stale.
await prepare();
const { default: openapiTS, astToString, COMMENT_HEADER } = await import('openapi-typescript');
// Fields with a default are optional in requests; by default the generator would require them.
const tree = await openapiTS(pathToFileURL(join(ROOT, 'docs/openapi.json')), { defaultNonNullable: false });
const text = `${COMMENT_HEADER}${astToString(tree)}`;
const file = join(ROOT, 'clients/typescript/src/schema.d.ts');
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  say(`Wrote ${file}`);
} else if (readFileSync(file, 'utf8') !== text) {
  say('The client does not match the contract: run "npm run client:generate" and commit the file.');
  process.exitCode = 1;
}
process.exit();
