import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  version: string;
}

/** The version of the service, from `package.json`, the only place that defines it. */
export const VERSION = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as Package
).version;
