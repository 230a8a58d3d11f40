import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleClient, copyClient, packClient, USE, useClient } from '../test/client-project.mjs';
import { install, installIsDue, ROOT, say } from './lib/prepare.mjs';

// `npm run client:package`: installs the TypeScript client in empty projects, from its source folder and as a packed
// file, and loads it in every supported way. Fails at the first step that does not work. `--bundle FILE` only writes the
// browser bundle of the packed file to FILE.
const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
const WEB = join(ROOT, 'web');

function checkTypes(project) {
  for (const [file, module] of [
    ['esm.mts', 'nodenext'],
    ['cjs.cts', 'nodenext'],
    ['bundled.ts', 'bundler'],
  ]) {
    writeFileSync(
      join(project, file),
      `import { ScrapingClient, type Job } from '@workspace-scraping-service/client';\nexport const job: Promise<Job> = ${USE}.getJob('job_1');\n`,
    );
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          ...(module === 'bundler' ? { module: 'esnext', moduleResolution: module } : { module }),
          ...{ noEmit: true, strict: true, skipLibCheck: true, lib: ['es2023', 'dom'], types: [] },
        },
        files: [file],
      }),
    );
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project], {
      cwd: project,
      stdio: ['ignore', 2, 2],
    });
  }
}

/** The client of the packed file as one script for browsers. */
async function bundle(project) {
  // The dashboard's bundler is needed.
  if (installIsDue(WEB)) await install(WEB);
  return bundleClient(project);
}

try {
  const packed = useClient(packClient(folder), folder);
  const at = process.argv.indexOf('--bundle');
  if (at !== -1) writeFileSync(process.argv[at + 1], await bundle(packed.project));
  else {
    const fromFolder = useClient(copyClient(folder), folder);
    for (const { printed } of [fromFolder, packed])
      if (/EBADENGINE|ERESOLVE/.test(printed)) throw new Error(printed);
    checkTypes(packed.project);
    await bundle(packed.project);
    say(
      'The client installs in an empty project, from its folder and as a packed file, loads with import, require and TypeScript, and can be bundled for browsers.',
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
