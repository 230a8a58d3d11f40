import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A browser in which an operator is signed in. */
@Entity('admin_sessions')
export class AdminSession {
  /** SHA-256 of the cookie's value. */
  @PrimaryColumn('bytea')
  tokenHash: Buffer;

  /** Hash of the admin token that began the session, which ends with that token. */
  @Column('bytea')
  adminTokenHash: Buffer;

  /** Address of the operator who signed in with an account; null for one who used the admin token. */
  @Column('text', { nullable: true })
  operator: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** With a resolution of one minute. */
  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt: Date;

  @Column('timestamptz')
  expiresAt: Date;
}
