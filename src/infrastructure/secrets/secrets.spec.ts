import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/environment.js';
import { loadEncryptionKey } from './encryption-key.js';
import { SecretBox, SecretUnreadableError } from './secret-box.js';

describe('SecretBox', () => {
  const owner = { workspaceId: 'a', purpose: 'webhook:1:secret' };
  const box = new SecretBox(randomBytes(32));

  it.each(['', 'whsec_abc', 'grüße 🚀', 'x'.repeat(5_000)])('opens what it sealed (%#)', (text) => {
    const sealed = box.seal(text, owner);
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/);
    if (text !== '') expect(sealed).not.toContain(text);
    expect(box.open(sealed, owner)).toBe(text);
  });

  it('never seals the same text alike', () => {
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

  it('does not open with another key, nor when any character was changed', () => {
    const sealed = box.seal('secret', owner);
    expect(() => new SecretBox(randomBytes(32)).open(sealed, owner)).toThrow(SecretUnreadableError);
    // The last character of base64url may carry unused bits; every other one counts.
    for (let i = 0; i < sealed.length - 1; i += 1) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      expect(() => box.open(changed, owner)).toThrow(SecretUnreadableError);
    }
  });

  it.each(['', 'plain text', 'v1..', 'v1.AAAA', 'v2.AAAA.AAAA', 'v1.a.b.c'])('refuses "%s"', (text) => {
    expect(() => box.open(text, owner)).toThrow(SecretUnreadableError);
  });
});

describe('loadEncryptionKey', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'key-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('prefers the environment and writes nothing then', async () => {
    const key = await loadEncryptionKey({ ENCRYPTION_KEY: 'ab'.repeat(32), DATA_DIR: folder });
    expect(key.toString('hex')).toBe('ab'.repeat(32));
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes one key for everyone who starts at once, readable by its owner only', async () => {
    const data = join(folder, 'new', 'data');
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadEncryptionKey({ DATA_DIR: data })));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(keys[0]!.length).toBe(32);
    expect(await readdir(data)).toEqual(['encryption.key']);
    expect((await stat(join(data, 'encryption.key'))).mode & 0o777).toBe(0o600);
    expect(await loadEncryptionKey({ DATA_DIR: data })).toEqual(keys[0]);
  });

  it.each(['', 'abcd', 'z'.repeat(64)])('refuses a file that holds "%s"', async (text) => {
    await writeFile(join(folder, 'encryption.key'), text);
    await expect(loadEncryptionKey({ DATA_DIR: folder })).rejects.toThrow(ConfigurationError);
  });
});
