import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Purpose of a key: hashes of suppressed subjects, encryption of what is being erased, or pseudonyms in exports. */
export type KeyPurpose = 'suppressions' | 'erasures' | 'pseudonyms';

/** A secret key of a workspace. Deleting the row makes every hash made with it meaningless. */
@Entity('workspace_keys')
export class WorkspaceKey extends WorkspaceRow {
  @PrimaryColumn('text')
  purpose: KeyPurpose;

  /** 32 bytes in hex, encrypted. */
  @Column('text')
  sealedKey: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
