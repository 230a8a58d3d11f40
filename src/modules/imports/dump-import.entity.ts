import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How far the import of a dump into a workspace is. */
@Entity('dump_imports')
export class DumpImport {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** SHA-256 of the file's name, size and beginning, and of the selection. */
  @PrimaryColumn('bytea')
  fingerprint: Buffer;

  @Column('text')
  file: string;

  /** Lines that are done: a resumed import passes over them. */
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
