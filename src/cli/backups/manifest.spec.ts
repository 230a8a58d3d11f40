import { createHash } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEY_FILES, readManifest, requireUnchanged, storedFileShape, writeManifest } from './manifest.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const SHA256 = 'a'.repeat(64);
const MANIFEST: Parameters<typeof writeManifest>[1] = {
  createdAt: '2026-06-30T12:00:00.000Z',
  serviceVersion: '1.0.0',
  postgresVersion: '18.0',
  migrations: ['Baseline1'],
  tables: [{ name: 'posts', columns: ['id'], rows: 3, file: 'tables/posts.copy.gz', sha256: SHA256 }],
  sequences: [{ name: 'a_seq', lastValue: '7', isCalled: true }],
  media: { files: 1, bytes: 2, sha256: SHA256, unavailable: ['x'] },
  keys: [{ name: 'admin.token', sha256: SHA256 }],
};

describe('the manifest of a backup', () => {
  let folder: string;
  beforeEach(async () => (folder = await temporaryFolder()));

  it('is read as it was written, and only its owner can read it', async () => {
    await writeManifest(folder, MANIFEST);
    expect(await readManifest(folder)).toEqual({ format: 1, ...MANIFEST });
    expect(await readdir(folder)).toEqual(['manifest.json']);
    expect((await stat(join(folder, 'manifest.json'))).mode & 0o777).toBe(0o600);
  });

  it('is missing in an incomplete backup', async () => {
    await expect(readManifest(folder)).rejects.toThrow('is not a complete backup');
  });

  it.each<[string, object]>([
    ['format', { format: 2 }],
    ['migrations', { migrations: [] }],
    ['tables.0.name', { tables: [{ ...MANIFEST.tables[0], name: 'posts; DROP' }] }],
    ['tables.0.file', { tables: [{ ...MANIFEST.tables[0], file: '../../etc/passwd' }] }],
    ['tables.0.file', { tables: [{ ...MANIFEST.tables[0], file: 'tables/../../a.copy.gz' }] }],
    ['tables.0.columns', { tables: [{ ...MANIFEST.tables[0], columns: [] }] }],
    ['tables.0.rows', { tables: [{ ...MANIFEST.tables[0], rows: -1 }] }],
    ['sequences.0.lastValue', { sequences: [{ ...MANIFEST.sequences[0], lastValue: 'x' }] }],
    ['keys.0.name', { keys: [{ name: '../key', sha256: SHA256 }] }],
    ['media.sha256', { media: { ...MANIFEST.media, sha256: SHA256.slice(1) } }],
  ])('is rejected for its field %s', async (field, change) => {
    const text = JSON.stringify({ format: 1, ...MANIFEST, ...change });
    await writeFile(join(folder, 'manifest.json'), text);
    await expect(readManifest(folder)).rejects.toThrow(`cannot be read (${field}: `);
  });

  it('detects files that were changed or are missing', async () => {
    await writeFile(join(folder, 'file'), 'content');
    const digest = createHash('sha256').update('content').digest('hex');
    await requireUnchanged(folder, 'file', digest);
    await expect(requireUnchanged(folder, 'file', SHA256)).rejects.toThrow('was changed or damaged');
    await expect(requireUnchanged(folder, 'absent', digest)).rejects.toThrow('absent is missing');
  });
});

it.each([
  ['a/b.jpg', true],
  ['exports/1/part-1.csv', true],
  ['a', false],
  ['a/../b', false],
  ['../a', false],
  ['/a/b', false],
  ['a//b', false],
])('a backup can contain a stored file with the key %s: %s', (key, isAccepted) => {
  const file = { key, bytes: 0, sha256: SHA256, contentType: 'image/jpeg' };
  expect(storedFileShape.safeParse(file).success).toBe(isAccepted);
});

it('a backup contains the generated keys, but no password of a server', () => {
  expect([...KEY_FILES].sort()).toEqual(['admin.token', 'encryption.key', 'harness.json']);
});
