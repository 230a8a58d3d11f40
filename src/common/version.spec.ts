import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from './version.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const json = (path: string): Record<string, unknown> => JSON.parse(read(path)) as Record<string, unknown>;

describe('the version', () => {
  it('is the same in all packages, their lock files, the contract and the changelog', () => {
    expect(VERSION).toMatch(/^\d+\.\d+\.\d+$/);
    for (const file of [
      'package-lock.json',
      'clients/typescript/package.json',
      'web/package.json',
      'web/package-lock.json',
    ])
      expect([file, json(file).version]).toEqual([file, VERSION]);
    expect(json('docs/openapi.json').info).toMatchObject({ version: VERSION });
    expect(/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(VERSION);
  });
});
