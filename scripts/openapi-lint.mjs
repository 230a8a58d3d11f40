import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, ROOT, say } from './lib/prepare.mjs';

// `npm run openapi:lint` checks docs/openapi.json and docs/asyncapi.json against the rules of .spectral.yaml and redocly.yaml; a single
// warning fails it.
const LINTERS = [
  [
    'Spectral',
    '@stoplight/spectral-cli/dist/index.js',
    ['lint', '--fail-severity=hint', 'docs/openapi.json', 'docs/asyncapi.json'],
  ],
  ['Redocly', '@redocly/cli/bin/cli.js', ['lint', '--max-problems=1000', 'docs/openapi.json']],
];

/** Disables telemetry and update checks. */
const OFFLINE = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
};

await prepare();
for (const [name, file, args] of LINTERS) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', join(ROOT, 'node_modules', file), ...args],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...OFFLINE }, timeout: 120_000 },
  );
  // Redocly exits with 0 on warnings; only its summary reports them. Its output is shown only on failure, because on
  // Node.js 20 it begins with a notice about the Node.js version.
  const passed = status === 0 && !/You have \d+ warning/.test(stdout + stderr);
  if (!passed) process.exitCode = 1;
  say(passed ? `${name}: 0 warnings` : `${name} found problems:\n${stdout}${stderr}`);
}
