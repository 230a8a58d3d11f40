import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  const file = join(folder, `${name}.cdx.json`);
  writeFileSync(file, billOf(project));
  console.log(file);
}

/**
 * The bill of a project without the packages of its development. These are taken out of the lock file before npm reads it,
 * because its own option also leaves out packages of the service that one of the others needs.
 */
function billOf(project) {
  const copy = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const read = (file) => JSON.parse(readFileSync(join(project, file), 'utf8'));
    const [manifest, lock] = [read('package.json'), read('package-lock.json')];
    delete manifest.devDependencies;
    delete lock.packages[''].devDependencies;
    lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev));
    writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(copy, 'package-lock.json'), JSON.stringify(lock));
    const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const bill = JSON.parse(
      execFileSync('npm', ['sbom', ...options], { cwd: copy, maxBuffer: 64 * 1_024 * 1_024 }),
    );
    // The same packages give the same file.
    delete bill.serialNumber;
    delete bill.metadata.timestamp;
    return `${JSON.stringify(bill, null, 2)}\n`;
  } finally {
    rmSync(copy, { recursive: true });
  }
}
