import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Compiles the sources twice: dist/esm for `import` and the command line, dist/cjs for `require`. Runs on `npm install`
// and before `npm pack`.
const ROOT = import.meta.dirname;
const tsc = findCompiler() ?? installCompiler();
rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
const builds = [
  { folder: 'dist/esm', type: 'module', options: ['-p', ROOT] },
  {
    folder: 'dist/cjs',
    type: 'commonjs',
    options: [
      ...['-p', join(ROOT, 'tsconfig.library.json')],
      ...['--module', 'commonjs', '--moduleResolution', 'bundler'],
    ],
  },
];
for (const { folder, type, options } of builds) {
  const out = join(ROOT, folder);
  mkdirSync(out, { recursive: true });
  execFileSync(process.execPath, [tsc, ...options, '--outDir', out], { stdio: 'inherit' });
  writeFileSync(join(out, 'package.json'), JSON.stringify({ type }));
  copyFileSync(join(ROOT, 'src/schema.d.ts'), join(out, 'schema.d.ts'));
}
chmodSync(join(ROOT, 'dist/esm/cli/main.js'), 0o755);

function findCompiler() {
  try {
    const require = createRequire(import.meta.url);
    require.resolve('@types/node/package.json');
    return join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  } catch {
    return null;
  }
}

/** When another project depends on this folder, npm runs its `prepare` script without its development dependencies. */
function installCompiler() {
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return findCompiler();
}
