import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ModelVersions } from '../../enrichment/model-versions.js';
import type { ExportedKind } from '../exports/exported-table.js';

/** States of a dataset. */
export const DATASET_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

/** Results of a search at one time, kept as files until they are deleted. */
@Entity('datasets')
@Check('datasets_kind_check', "kind IN ('posts', 'comments')")
@Check('datasets_status_check', "status IN ('pending', 'running', 'completed', 'failed')")
@Index('datasets_newest', ['workspaceId', 'createdAt', 'id'])
@Index('datasets_unfinished', ['createdAt'], { where: "status IN ('pending', 'running')" })
export class Dataset {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  kind: ExportedKind;

  /** Those of the list, with the query as `q`. */
  @Column('jsonb')
  filters: Record<string, unknown>;

  @Column('text', { default: 'pending' })
  status: DatasetStatus;

  @Column('text', { nullable: true })
  errorMessage: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** When its rows were read; null before. */
  @Column('timestamptz', { nullable: true })
  frozenAt: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;

  /** Number of rows of each source when they were read. */
  @Column('jsonb', { default: {} })
  sources: Record<string, number>;

  /** Of the process that read the rows; null before. */
  @Column('jsonb', { nullable: true })
  models: ModelVersions | null;

  /** Whose labels are columns, in order; empty before the rows are read. */
  @Column('text', { array: true, default: [] })
  labellers: string[];

  /** Number of rows that erasures removed from the files. */
  @Column('integer', { default: 0 })
  erasedRows: number;

  /** When an erasure last removed rows. */
  @Column('timestamptz', { nullable: true })
  erasedAt: Date | null;

  /** The worker that is writing the files. */
  @Column('text', { nullable: true })
  leaseOwner: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  @Column('integer', { default: 0 })
  attempts: number;
}

/** A file of a dataset. */
@Entity('dataset_parts')
@ForeignKey('Dataset', ['workspaceId', 'datasetId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class DatasetPart {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  datasetId: string;

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

  /** SHA-256 of the file, in hex. */
  @Column('text')
  sha256: string;

  /** Path of a file that this one replaces after an erasure, until it is removed. */
  @Column('text', { nullable: true })
  replacedKey: string | null;
}
