import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideBuild } from './freshness.mjs';
import {
  alone,
  filesBelow,
  install,
  installIsDue,
  IS_RELEASE,
  ROOT,
  run,
  say,
  stampsOf,
} from './prepare.mjs';

const WEB = join(ROOT, 'web');
const DIST = join(WEB, 'dist');
const RECORD = join(DIST, '.inputs.json');

/**
 * Builds the dashboard when it is missing or its sources have changed; otherwise returns quickly. Returns whether it is
 * available. A failure is only reported, because the API works without it.
 */
export async function prepareDashboard() {
  if (IS_RELEASE || isBuilt()) return true;
  try {
    await alone(async () => {
      if (installIsDue(WEB)) await install(WEB);
      if (!isBuilt()) await build();
    });
    return true;
  } catch (error) {
    say(`${error.message} The service works without the dashboard; to try again, run: npm run web:build`);
    return false;
  }
}

function isBuilt() {
  try {
    return decideBuild(JSON.parse(readFileSync(RECORD, 'utf8')), inputs()) === 'fresh';
  } catch {
    // Missing, or incomplete after a kill.
    return false;
  }
}

async function build() {
  say('Building the dashboard ...');
  const seen = inputs();
  if (
    !(await run(
      process.execPath,
      [join(WEB, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
      WEB,
    ))
  )
    throw new Error('The dashboard could not be built; see the messages above.');
  writeFileSync(RECORD, JSON.stringify(seen));
}

/** Every file that the build reads, with its size and modification time. */
function inputs() {
  return stampsOf([
    ...['package-lock.json', 'index.html', 'vite.config.ts'].map((name) => join(WEB, name)),
    ...filesBelow(join(WEB, 'src')),
    ...filesBelow(join(WEB, 'public')),
    join(ROOT, 'clients/typescript/src/errors.ts'),
  ]);
}
