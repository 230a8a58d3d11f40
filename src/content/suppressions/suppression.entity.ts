import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { SubjectKind } from '../../tenants/ports/erasure-subject.js';

/** Content that is not stored again: a post, a comment, or everything of an author. Only hashes are kept. */
@Entity('suppressions')
@Unique('suppressions_workspace_id_hash_key', ['workspaceId', 'hash'])
@Index('suppressions_newest', ['workspaceId', 'createdAt', 'id'])
export class Suppression extends WorkspaceRecord {
  @Column('text')
  kind: SubjectKind;

  /** HMAC-SHA-256 of the subject with a key of the workspace. */
  @Column('bytea')
  hash: Buffer;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}

/** A hash that a suppression refuses: of its subject, or of a post or comment that was erased with it. */
@Entity('suppressed_hashes')
@ForeignKey('Suppression', ['workspaceId', 'suppressionId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
@Index('suppressed_hashes_of_suppression', ['workspaceId', 'suppressionId'])
export class SuppressedHash {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('bytea')
  hash: Buffer;

  @PrimaryColumn('uuid')
  suppressionId: string;
}
