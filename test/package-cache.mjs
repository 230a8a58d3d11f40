import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder of packages that only some tests need, kept between runs. */
export const PACKAGE_CACHE = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'workspace-scraping-service/packages',
);
const INSTALL_TIMEOUT_MS = 120_000;

/**
 * The folder whose `node_modules` contains a package such as `node@20`, installed from the npm registry unless it is
 * cached; null when it is not available.
 */
export function findPackage(name) {
  const folder = join(PACKAGE_CACHE, name.replaceAll('/', '-'));
  if (existsSync(folder)) return folder;
  mkdirSync(PACKAGE_CACHE, { recursive: true });
  const staging = mkdtempSync(join(PACKAGE_CACHE, 'new-'));
  try {
    writeFileSync(join(staging, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', name, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: staging,
      stdio: ['ignore', 2, 2],
      timeout: INSTALL_TIMEOUT_MS,
    });
    // If two runs install it at once, the later one keeps the earlier one's result.
    if (!existsSync(folder)) renameSync(staging, folder);
    return folder;
  } catch {
    return null;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
