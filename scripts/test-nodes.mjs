import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packClient } from '../test/client-project.mjs';
import { checkClient, checkInstallation, checkRefusal, findNode, runSpecs, scrape } from '../test/nodes.mjs';
import { PACKAGE_CACHE } from '../test/package-cache.mjs';
import { prepare, say } from './lib/prepare.mjs';

// `npm run test:nodes [-- --all | 20 22]`: tests the installation, the unit specs, a scrape of the service and the packed
// client on the oldest and the newest supported version of Node.js, with `--all` on all of them, except this one, on
// which the other tests run; and that an older one is refused with a sentence. A version that cannot be installed from
// the npm registry is skipped and reported.
const SUPPORTED = ['20', '22', '24', '26'];
const TOO_OLD = ['18'];

/** The versions to test by default, or with `--all`. */
const versions = (all) => [
  ...TOO_OLD,
  ...(all ? SUPPORTED : [SUPPORTED[0], SUPPORTED.at(-1)]).filter(
    (version) => !process.version.startsWith(`v${version}.`),
  ),
];

await prepare('test');
const given = process.argv.slice(2).filter((argument) => argument !== '--all');
const folder = mkdtempSync(join(tmpdir(), 'test-nodes-'));
const skipped = [];
try {
  let archive;
  for (const version of given.length > 0 ? given : versions(process.argv.includes('--all'))) {
    const node = findNode(version);
    if (node === null) {
      skipped.push(version);
      continue;
    }
    const startedAt = performance.now();
    const name = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const steps = TOO_OLD.includes(version)
      ? { refusal: () => checkRefusal(node) }
      : {
          installation: () => checkInstallation(node, folder),
          client: () => checkClient(node, folder, (archive ??= packClient(folder))),
          specs: () => runSpecs(node),
          scrape: () => scrape(node),
        };
    for (const [step, run] of Object.entries(steps)) {
      try {
        await run();
      } catch (error) {
        throw new Error(`Node.js ${name}, ${step}: ${error.message}`, { cause: error });
      }
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(`Node.js ${name}: ${Object.keys(steps).join(', ')} passed in ${seconds} s`);
  }
} catch (error) {
  say(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (skipped.length > 0)
  say(`Skipped Node.js ${skipped.join(', ')}: not in ${PACKAGE_CACHE}, and npm could not install it.`);
