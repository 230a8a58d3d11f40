import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `npm run sbom [-- FOLDER]`: writes the packages that the service and its dashboard are made of as CycloneDX, by default
 * into `sbom`. Reads only the lock files.
 */
const root = resolve(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'sbom'));
mkdirSync(folder, { recursive: true });
for (const [name, project] of [
  ['service', root],
  ['dashboard', join(root, 'web')],
]) {
  const text = execFileSync(
    'npm',
    ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'],
    { cwd: project, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 },
  );
  const file = join(folder, `${name}.cdx.json`);
  writeFileSync(file, text);
  console.log(file);
}
