import { randomBytes } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/environment.js';
import { loadEncryptionKeys } from './encryption-key.js';
import { keyIdOf, SecretBox, SecretUnreadableError } from './secret-box.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

describe('SecretBox', () => {
  const owner = { workspaceId: 'a', purpose: 'webhook:1:secret' };
  const key = randomBytes(32);
  const box = new SecretBox([key]);

  it.each(['', 'whsec_abc', 'grüße 🚀', 'x'.repeat(5_000)])('opens what it sealed (%#)', (text) => {
    const sealed = box.seal(text, owner);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
    if (text !== '') expect(sealed).not.toContain(text);
    expect(box.open(sealed, owner)).toBe(text);
  });

  it('seals the same text differently every time', () => {
    expect(box.seal('x', owner)).not.toBe(box.seal('x', owner));
  });

  it.each([
    { workspaceId: 'b', purpose: owner.purpose },
    { workspaceId: 'a', purpose: 'webhook:2:secret' },
    { workspaceId: 'a","webhook:1:secret', purpose: '' },
  ])('does not open for another owner: %o', (other) => {
    const sealed = box.seal('x', owner);
    expect(() => box.open(sealed, other)).toThrow(SecretUnreadableError);
  });

  it('does not open what has more parts than it sealed', () => {
    expect(() => box.open(`${box.seal('x', owner)}.x`, owner)).toThrow(SecretUnreadableError);
  });

  it('does not open with another key, or when any character was changed', () => {
    const sealed = box.seal('secret', owner);
    expect(() => new SecretBox([randomBytes(32)]).open(sealed, owner)).toThrow(SecretUnreadableError);
    // The last character of base64url may contain unused bits; all others are significant.
    for (let i = 0; i < sealed.length - 1; i += 1) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      expect(() => box.open(changed, owner)).toThrow(SecretUnreadableError);
    }
  });

  it.each(['', 'plain text', 'v1..', 'v1.AAAA', 'v1.AAAA.AAAA', 'v1.a.b.c', 'v2.a.b.c'])(
    'rejects "%s"',
    (text) => {
      expect(() => box.open(text, owner)).toThrow(SecretUnreadableError);
    },
  );
});

describe('a key ring', () => {
  const owner = { workspaceId: 'a', purpose: 'webhook:1:secret' };
  const [former, next] = [randomBytes(32), randomBytes(32)];

  it('seals with its first key and opens with all keys', () => {
    const before = new SecretBox([former]);
    const during = new SecretBox([next, former]);
    expect(during.open(before.seal('x', owner), owner)).toBe('x');
    expect(new SecretBox([next]).open(during.seal('x', owner), owner)).toBe('x');
    expect(() => before.open(during.seal('x', owner), owner)).toThrow(SecretUnreadableError);
  });

  it('encrypts again only what another key has encrypted', () => {
    const during = new SecretBox([next, former]);
    const [old, own] = [new SecretBox([former]).seal('x', owner), during.seal('x', owner)];
    expect(during.reseal(own, owner)).toBe(own);
    expect(new SecretBox([next]).open(during.reseal(old, owner), owner)).toBe('x');
  });

  it('names the key of each sealed text without revealing it', () => {
    expect(new SecretBox([next, former]).keyIds).toEqual([keyIdOf(next), keyIdOf(former)]);
    expect(new SecretBox([next]).seal('x', owner).split('.')[1]).toBe(keyIdOf(next));
    expect(next.toString('hex')).not.toContain(keyIdOf(next));
  });
});

describe('loadEncryptionKeys', () => {
  let folder: string;
  beforeEach(async () => (folder = await temporaryFolder()));

  it('prefers the environment variable and then writes no file', async () => {
    const keys = await loadEncryptionKeys({
      ENCRYPTION_KEY: ['ab'.repeat(32), 'cd'.repeat(32)],
      DATA_DIR: folder,
    });
    expect(keys.map((key) => key.toString('hex'))).toEqual(['ab'.repeat(32), 'cd'.repeat(32)]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('creates one key for processes that start at the same time', async () => {
    const data = join(folder, 'new', 'data');
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadEncryptionKeys({ DATA_DIR: data })));
    expect(new Set(keys.map(([key]) => key!.toString('hex'))).size).toBe(1);
    expect(keys[0]![0]!.length).toBe(32);
    expect(await readdir(data)).toEqual(['encryption.key']);
    expect((await stat(join(data, 'encryption.key'))).mode & 0o777).toBe(0o600);
    expect(await loadEncryptionKeys({ DATA_DIR: data })).toEqual(keys[0]);
  });

  it('reads several keys from a file', async () => {
    await writeFile(join(folder, 'encryption.key'), `${'ab'.repeat(32)},${'cd'.repeat(32)}\n`);
    expect(await loadEncryptionKeys({ DATA_DIR: folder })).toHaveLength(2);
  });

  it.each(['', 'abcd', 'z'.repeat(64)])('rejects a file that contains "%s"', async (text) => {
    await writeFile(join(folder, 'encryption.key'), text);
    await expect(loadEncryptionKeys({ DATA_DIR: folder })).rejects.toThrow(ConfigurationError);
  });
});
