import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, prepare, ROOT, say } from './lib/prepare.mjs';

// `npm run openapi` writes the contract; with --check it fails when the committed file differs from the one generated
// from the code.
await prepare();
const { contractText } = await compiled('src/openapi/write.js');
const text = await contractText();
const file = join(ROOT, 'docs/openapi.json');
if (!process.argv.includes('--check')) {
  mkdirSync(join(ROOT, 'docs'), { recursive: true });
  writeFileSync(file, text);
  say(`Wrote ${file}`);
} else if (readIfThere() !== text) {
  say('docs/openapi.json does not match the code: run "npm run openapi" and commit the file.');
  process.exitCode = 1;
}
process.exit();

function readIfThere() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
