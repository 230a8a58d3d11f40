import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

/** The folder of the compose files. */
export const DOCKER = resolve(import.meta.dirname, '../../../docker');

/** The text of a file of that folder. */
export const read = (file: string): string => readFileSync(join(DOCKER, file), 'utf8');

/** A service of a compose file, as far as tests read it. */
export interface Container {
  image?: string;
  command?: string[];
  build?: object;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  env_file?: string | string[];
  environment?: Record<string, string>;
  healthcheck?: object;
  volumes?: string[];
  stop_grace_period?: string;
  network_mode?: string;
  networks?: string[];
  secrets?: string[];
  ports?: string[];
}

interface ComposeDocument {
  services: Record<string, Container>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
  secrets: Record<string, { file: string }>;
}

/** A compose file. Compose's own tags are read as plain values; merge keys are resolved. */
export const document = (file: string): ComposeDocument =>
  parse(read(file), {
    merge: true,
    customTags: [{ tag: '!reset', collection: 'seq', resolve: (value: unknown) => value }],
  }) as ComposeDocument;
