import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What a sealed secret belongs to. A sealed text opens only for the very owner and purpose it was sealed for. */
export interface SecretOwner {
  workspaceId: string;
  /** Names row and field, e.g. `webhook:<id>:secret`. */
  purpose: string;
}

/** A sealed text that was made for another owner, with another key, or was changed. */
export class SecretUnreadableError extends Error {
  constructor(options?: { cause?: unknown }) {
    super(
      'A stored secret cannot be read: the encryption key is another one, or the stored text was changed',
      options,
    );
    this.name = 'SecretUnreadableError';
  }
}

/** Seals short texts for storage: AES-256-GCM as `v1.<iv>.<ciphertext and tag>`, both base64url. */
export class SecretBox {
  /** `key` has 32 bytes. */
  constructor(private readonly key: Buffer) {}

  seal(text: string, owner: SecretOwner): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, iv.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** Throws {@link SecretUnreadableError}. */
  open(sealed: string, owner: SecretOwner): string {
    const [version, iv, body, ...rest] = sealed.split('.');
    if (version !== VERSION || iv === undefined || body === undefined || rest.length > 0)
      throw new SecretUnreadableError();
    const bytes = Buffer.from(body, 'base64url');
    if (bytes.length < TAG_BYTES) throw new SecretUnreadableError();
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(owner));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    } catch (error) {
      throw new SecretUnreadableError({ cause: error });
    }
  }
}

/** A form in which no two owners look alike. */
function associatedData({ workspaceId, purpose }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify([workspaceId, purpose]));
}
