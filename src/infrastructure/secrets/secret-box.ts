import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The owner and purpose of a sealed secret. It can be opened only with the values it was sealed for. */
export interface SecretOwner {
  workspaceId: string;
  /** Row and field, e.g. `webhook:<id>:secret`. */
  purpose: string;
}

/** A sealed text that belongs to another owner, was sealed with a key that is not in the ring, or was changed. */
export class SecretUnreadableError extends Error {
  constructor(options?: { cause?: unknown }) {
    super('A stored secret cannot be decrypted: its key is missing or the stored text was changed', options);
    this.name = 'SecretUnreadableError';
  }
}

/** Public name of a key: the first 8 hexadecimal digits of its hash. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('wss encryption key id').update(key).digest('hex').slice(0, 8);
}

/**
 * Encrypts short texts for storage with AES-256-GCM, as `v1.<key id>.<iv>.<ciphertext and tag>`. The first key of the
 * ring seals and all keys open, so that a key can be replaced without downtime.
 */
export class SecretBox {
  /** Ids of the keys, the sealing key first. */
  readonly keyIds: readonly string[];
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly sealingKey: Buffer;

  /** `keys` are 32 bytes each; at least one is required. */
  constructor(keys: readonly Buffer[]) {
    const [first] = keys;
    if (first === undefined) throw new Error('At least one encryption key is needed');
    this.sealingKey = first;
    this.keys = new Map(keys.map((key) => [keyIdOf(key), key]));
    this.keyIds = [...this.keys.keys()];
  }

  /** Encrypts a text for its owner. */
  seal(text: string, owner: SecretOwner): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.sealingKey, iv, { authTagLength: TAG_BYTES });
    const keyId = this.keyIds[0]!;
    cipher.setAAD(associatedData(owner, keyId));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, keyId, iv.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** Decrypts a result of {@link seal} for the same owner. Throws {@link SecretUnreadableError}. */
  open(sealed: string, owner: SecretOwner): string {
    const [version, keyId, iv, body, ...rest] = sealed.split('.');
    const key = version === VERSION && keyId !== undefined ? this.keys.get(keyId) : undefined;
    if (key === undefined || iv === undefined || body === undefined || rest.length > 0)
      throw new SecretUnreadableError();
    return decrypt(key, iv, body, associatedData(owner, keyId!));
  }

  /** The prefix of every text that {@link seal} returns. */
  get sealedPrefix(): string {
    return `${VERSION}.${this.keyIds[0]!}.`;
  }

  /**
   * Encrypts a sealed text with the sealing key; returns it unchanged when it is already encrypted with that key.
   * Throws {@link SecretUnreadableError}.
   */
  reseal(sealed: string, owner: SecretOwner): string {
    return sealed.startsWith(this.sealedPrefix) ? sealed : this.seal(this.open(sealed, owner), owner);
  }
}

function decrypt(key: Buffer, iv: string, body: string, data: Buffer): string {
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < TAG_BYTES) throw new SecretUnreadableError();
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(data);
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new SecretUnreadableError({ cause: error });
  }
}

/** An unambiguous encoding of owner and key id. */
function associatedData({ workspaceId, purpose }: SecretOwner, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([workspaceId, purpose, keyId]));
}
