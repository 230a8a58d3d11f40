import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, prepare, ROOT, say } from './lib/prepare.mjs';
import { keptContract } from './release/kept-contract.mjs';

// `npm run openapi` writes the contracts, the kinds that the dashboard lists and the page of variables; with --check it
// fails when a committed file differs from the one generated from the code. With --release it also keeps the contract as
// that of this version.
await prepare();
const { contractTexts } = await compiled('src/openapi/write.js');
const { dashboardKindsText } = await compiled('src/openapi/dashboard-kinds.js');
const { configurationPage } = await compiled('src/config/configuration-page.js');
const { openApi, asyncApi } = await contractTexts();
const files = {
  'docs/openapi.json': openApi,
  'docs/asyncapi.json': asyncApi,
  'web/src/api/kinds.ts': dashboardKindsText(),
  'docs/configuration.md': configurationPage(),
};
if (process.argv.includes('--release'))
  files['docs/openapi-released.json'] = `${JSON.stringify(keptContract(JSON.parse(openApi)))}\n`;
for (const [name, text] of Object.entries(files)) {
  const file = join(ROOT, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    say(`Wrote ${file}`);
  } else if (readIfThere(file) !== text) {
    say(`${name} does not match the code: run "npm run openapi" and commit the file.`);
    process.exitCode = 1;
  }
}
process.exit();

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
