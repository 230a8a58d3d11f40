import { spawnSync } from 'node:child_process';
import { say } from './prepare.mjs';

/** Installs a package with apt and prints that it does; does nothing without apt or the rights to use it. */
export function installByApt(name) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error !== undefined) return;
  say(`Installing ${name} (apt-get install ${name}) ...`);
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-q'], options);
  spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', name], options);
}
