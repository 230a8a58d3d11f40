import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Compiled tests run from `dist`. */
const ROOT = join(import.meta.dirname, '../..');
const { subset } = createRequire(import.meta.url)('semver') as {
  subset: (inner: string, outer: string) => boolean;
};

interface Manifest {
  dev?: boolean;
  devOptional?: boolean;
  engines?: { node?: string };
}

const read = <T>(name: string): T => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as T;

it('every package of the service runs on each supported version of Node.js', () => {
  const supported = read<Manifest>('package.json').engines!.node!;
  const { packages } = read<{ packages: Record<string, Manifest> }>('package-lock.json');
  const refusing = Object.entries(packages).flatMap(([path, { dev, devOptional, engines }]) =>
    dev || devOptional || subset(supported, engines?.node ?? '*') ? [] : [`${path}: ${engines?.node}`],
  );
  expect(refusing).toEqual([]);
});
