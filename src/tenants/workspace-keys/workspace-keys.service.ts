import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import type { KeyPurpose } from './workspace-key.entity.js';
import { type SealedKey, WorkspaceKeysRepository } from './workspace-keys.repository.js';

const KEY_BYTES = 32;

/** Secret keys of workspaces: created on first use, stored encrypted, gone with their workspace. */
@Injectable()
export class WorkspaceKeys {
  constructor(
    private readonly keys: WorkspaceKeysRepository,
    private readonly box: SecretBox,
  ) {}

  /** The key, 32 bytes; created if there is none. Throws `SecretUnreadableError`. */
  async get(workspaceId: string, purpose: KeyPurpose, tx?: EntityManager): Promise<Buffer> {
    const found = await this.find(workspaceId, purpose, tx);
    if (found !== null) return found;
    const created = this.box.seal(randomBytes(KEY_BYTES).toString('hex'), ownerOf({ workspaceId, purpose }));
    await this.keys.insert(workspaceId, purpose, created);
    return (await this.find(workspaceId, purpose))!;
  }

  /** Encrypts a key with the newest encryption key. Throws `SecretUnreadableError`. */
  reseal(key: SealedKey): SealedKey {
    return { ...key, sealedKey: this.box.reseal(key.sealedKey, ownerOf(key)) };
  }

  private async find(workspaceId: string, purpose: KeyPurpose, tx?: EntityManager): Promise<Buffer | null> {
    const sealed = await this.keys.find(workspaceId, purpose, tx);
    return sealed === null
      ? null
      : Buffer.from(this.box.open(sealed, ownerOf({ workspaceId, purpose })), 'hex');
  }
}

const ownerOf = ({ workspaceId, purpose }: Pick<SealedKey, 'workspaceId' | 'purpose'>) => ({
  workspaceId,
  purpose: `workspace key:${purpose}`,
});
