import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Progress of importing a dump into a workspace. */
@Entity('dump_imports')
export class DumpImport extends WorkspaceRow {
  /** SHA-256 of the file's name, size and first bytes, and of the selection. */
  @PrimaryColumn('bytea')
  fingerprint: Buffer;

  @Column('text')
  file: string;

  /** Number of lines that are done; a resumed import skips them. */
  @Column('bigint', { transformer: { from: Number, to: (value: number) => value } })
  lines: number;

  @Column('bigint', { transformer: { from: Number, to: (value: number) => value } })
  posts: number;

  @Column('bigint', { transformer: { from: Number, to: (value: number) => value } })
  comments: number;

  @Column('bigint', { transformer: { from: Number, to: (value: number) => value } })
  damagedLines: number;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  updatedAt: Date;
}
