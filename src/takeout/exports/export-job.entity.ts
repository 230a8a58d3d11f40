import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ExportedKind } from './exported-table.js';
import type { Compression } from './formats/compression.js';

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
export class ExportJob {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: ExportedKind;

  /** Name of a format, as in `EXPORT_FORMATS`. */
  @Column('text')
  format: string;

  /** Null for the format's default: none for text, Snappy for Parquet. */
  @Column('text', { nullable: true })
  compression: Compression | null;

  @Column('jsonb')
  filters: Record<string, unknown>;

  /** The base export, whose later changes this one contains; it may have been deleted. */
  @Column('uuid', { nullable: true })
  incrementalFrom: string | null;

  /** Whether CSV files begin with a byte order mark. */
  @Column('boolean', { default: false })
  byteOrderMark: boolean;

  /** Whether names of accounts are replaced by pseudonyms. */
  @Column('boolean', { default: false })
  pseudonymize: boolean;

  @Column('text', { default: 'pending' })
  status: ExportStatus;

  @Column('text', { nullable: true })
  errorMessage: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;

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

  /** The worker that is writing the export; null when there is none. */
  @Column('text', { nullable: true })
  leaseOwner: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  /** Number of claims since the last part was recorded. */
  @Column('integer', { default: 0 })
  attempts: number;
}

/** A finished file of an export. */
@Entity('export_parts')
@ForeignKey('ExportJob', ['workspaceId', 'exportId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class ExportPart {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  exportId: string;

  /** From 1. */
  @PrimaryColumn('integer')
  number: number;

  /** Path of the file in the media store. */
  @Column('text')
  key: string;

  @Column('integer')
  rows: number;

  @Column('bigint', { transformer: { from: Number, to: (value: number) => value } })
  bytes: number;

  /** SHA-256 of the downloaded bytes, in hex. */
  @Column('text')
  sha256: string;

  /** Id of the last row, after which the next part starts; null for a part without rows. */
  @Column('text', { nullable: true })
  lastId: string | null;
}
