import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, say } from './lib/prepare.mjs';

// `npm run client:package`: packs the TypeScript client, installs it in an empty project and loads it both ways, as its
// users do. Fails with the first step that does not work.
const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const npm = (cwd, ...args) => run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd);
const USE = 'new ScrapingClient({ baseUrl: "http://127.0.0.1", apiKey: "rp_x", workspaceId: "w" })';

try {
  const source = join(folder, 'source');
  cpSync(join(ROOT, 'clients/typescript'), source, {
    recursive: true,
    filter: (path) => !/(node_modules|dist)$/.test(path),
  });
  npm(source, 'install');
  npm(source, 'pack');
  const archive = join(
    source,
    readdirSync(source).find((name) => name.endsWith('.tgz')),
  );

  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  npm(project, 'install', archive);
  const name = '@workspace-scraping-service/client';
  writeFileSync(
    join(project, 'import.mjs'),
    `import { ScrapingClient, verifyWebhook } from '${name}'; ${USE}; verifyWebhook.name;`,
  );
  writeFileSync(join(project, 'require.cjs'), `const { ScrapingClient } = require('${name}'); ${USE};`);
  for (const file of ['import.mjs', 'require.cjs']) run(process.execPath, [file], project);
  for (const [file, module] of [
    ['esm.mts', 'nodenext'],
    ['cjs.cts', 'nodenext'],
    ['bundled.ts', 'bundler'],
  ]) {
    writeFileSync(
      join(project, file),
      `import { ScrapingClient, type Job } from '${name}';\nexport const job: Promise<Job> = ${USE}.getJob('job_1');\n`,
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
    run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project], project);
  }
  say('The packed client installs in an empty project and loads with import, require and TypeScript.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
