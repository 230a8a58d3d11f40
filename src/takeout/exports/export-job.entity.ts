import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Compression } from './formats/compression.js';
import { WrittenFiles, WrittenPart } from './written-files.js';

/** States of an export. */
export const EXPORT_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** How long exports and their files are kept after they end, as a Postgres interval. */
export const EXPORTS_KEPT = `interval '7 days'`;

/** Message of an export whose files were removed because of an erasure. */
export const WITHDRAWN = 'Its files were removed because of an erasure. Create the export again.';

/** An export that a worker writes into the media store. */
@Entity('exports')
@Check('exports_kind_check', "kind IN ('posts', 'comments')")
@Check('exports_compression_check', "compression IN ('gzip', 'zstd')")
@Check('exports_status_check', "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')")
@Index('exports_newest', ['workspaceId', 'createdAt', 'id'])
@Index('exports_unfinished', ['workspaceId', 'createdAt'], { where: "status IN ('pending', 'running')" })
@Index('exports_expiring', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
export class ExportJob extends WrittenFiles {
  @Column('text', { nullable: true })
  name: string | null;

  /** Names of the columns of its files, in their order; null for all. */
  @Column('text', { array: true, nullable: true })
  columns: string[] | null;

  /** Name of a format, as in `EXPORT_FORMATS`. */
  @Column('text')
  format: string;

  /** Null for the format's default: none for text, Snappy for Parquet. */
  @Column('text', { nullable: true })
  compression: Compression | null;

  /** The base export, whose later changes this one contains; it may have been deleted. */
  @Column('uuid', { nullable: true })
  incrementalFrom: string | null;

  /** The recurring export of which it is a run; null for a single one. It may have been deleted. */
  @Column('uuid', { nullable: true })
  recurringId: string | null;

  /** The folder of a bucket to which the files are copied; null for none. It has an access key, but no secret. */
  @Column('text', { nullable: true })
  destinationUrl: string | null;

  /** The secret access key of the destination, encrypted. */
  @Column('text', { nullable: true })
  sealedSecret: string | null;

  /** Whether CSV files begin with a byte order mark. */
  @Column('boolean', { default: false })
  byteOrderMark: boolean;

  /** Whether names of accounts are replaced by pseudonyms. */
  @Column('boolean', { default: false })
  pseudonymize: boolean;

  @Column('text', { default: 'pending' })
  status: ExportStatus;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  startedAt: Date | null;

  /** When the record and its files are deleted; null until the export has ended. */
  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  /**
   * Only rows written by this transaction id or a later one are included; null includes all rows. A 64-bit integer as
   * text.
   */
  @Column('bigint', { nullable: true })
  changedSince: string | null;

  /**
   * The oldest transaction that was running when the export started. An export of later changes starts with it, so that
   * rows of transactions that commit late appear in at least one of the two. A 64-bit integer as text.
   */
  @Column('bigint', { nullable: true })
  horizon: string | null;

  /** Identifier of the Postgres cluster to which the transaction ids belong. */
  @Column('text')
  databaseId: string;
}

/** The rows and files that an export was asked for. */
export type ExportChoices = Pick<
  ExportJob,
  'kind' | 'format' | 'compression' | 'filters' | 'columns' | 'byteOrderMark' | 'pseudonymize'
>;

/** A finished file of an export. */
@Entity('export_parts')
@ForeignKey('ExportJob', ['workspaceId', 'exportId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class ExportPart extends WrittenPart {
  @PrimaryColumn('uuid')
  exportId: string;

  /** Id of the last row, after which the next part starts; null for a part without rows. */
  @Column('text', { nullable: true })
  lastId: string | null;
}
