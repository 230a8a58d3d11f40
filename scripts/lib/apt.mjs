import { spawnSync } from 'node:child_process';
import { say } from './prepare.mjs';

/** Installs a package through apt, saying so; does nothing without apt or its rights. */
export function installByApt(name) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error !== undefined) return;
  say(`Installing ${name} (apt-get install ${name}) ...`);
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-q'], options);
  spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', name], options);
}
