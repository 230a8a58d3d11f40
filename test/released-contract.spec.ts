import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { type ComparedContract, contractChanges } from './support/contract-changes.js';
import { temporaryFolder } from './support/temporary-folder.js';

const ROOT = process.cwd();
const read = <T>(file: string): T => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as T;

const KEPT = 'docs/openapi-released.json';

/** docs/api.md says that these get new values without notice. */
const OPEN = ['channel', 'event_type', 'events'];

/** For every operation of the release: what its client sends, and the fields of answers that programs read. */
const CALLS = `
import type { operations as Current } from '${join(ROOT, 'clients/typescript/src/schema.js')}';
import type { operations as Released } from './released.js';

type Sent<O> = O extends { parameters: infer P; requestBody?: infer B } ? [P, B] : never;
type Success<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201 | 202)] : never;
type Fields<O> = Success<O> extends { content: { 'application/json': infer A } } ? keyof A : never;
// The service sends the bodies of webhooks, which may get more fields.
type Called = Exclude<keyof Released, \`on\${Capitalize<string>}\`>;
type Wrong = {
  [N in Called]: [Sent<Released[N]>, Fields<Released[N]>] extends [Sent<Current[N]>, Fields<Current[N]>]
    ? never
    : N;
}[Called];
export const wrong: [Wrong] extends [never] ? null : Wrong = null;
`;

describe('the contract of the last release', () => {
  const released = read<ComparedContract & { info: { version: string } }>(KEPT);

  it('is kept by the version that a release raises', () => {
    expect(released.info.version).toBe(read<{ version: string }>('package.json').version);
  });

  it('holds, so that its clients go on as before', () => {
    expect(contractChanges(released, read('docs/openapi.json'), OPEN)).toEqual([]);
  });

  it('lets programs of its TypeScript client compile with the client of now', async () => {
    const folder = await temporaryFolder();
    const types = await openapiTS(readFileSync(KEPT, 'utf8'), { defaultNonNullable: false });
    await writeFile(join(folder, 'released.d.ts'), astToString(types));
    await writeFile(join(folder, 'calls.ts'), CALLS);
    const options = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, 'calls.ts'], {
      encoding: 'utf8',
      cwd: folder,
      timeout: 100_000,
    });
    expect(stdout).toBe('');
  });
});
