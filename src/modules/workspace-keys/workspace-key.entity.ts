import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What a key of a workspace is for: hashes of suppressed subjects, or encryption of what is being erased. */
export type KeyPurpose = 'suppressions' | 'erasures';

/** A secret key of a workspace. Deleting the row makes every hash made with it meaningless. */
@Entity('workspace_keys')
export class WorkspaceKey {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('text')
  purpose: KeyPurpose;

  /** 32 bytes in hex, encrypted. */
  @Column('text')
  sealedKey: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
