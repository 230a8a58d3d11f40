import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ModelVersions } from '../../enrichment/model-versions.js';
import { WrittenFiles, WrittenPart } from '../exports/written-files.js';

/** States of a dataset. */
export const DATASET_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

/** Results of a search at one time, kept as files until they are deleted. */
@Entity('datasets')
@Check('datasets_kind_check', "kind IN ('posts', 'comments')")
@Check('datasets_status_check', "status IN ('pending', 'running', 'completed', 'failed')")
@Index('datasets_newest', ['workspaceId', 'createdAt', 'id'])
@Index('datasets_unfinished', ['createdAt'], { where: "status IN ('pending', 'running')" })
export class Dataset extends WrittenFiles {
  @Column('text')
  name: string;

  @Column('text', { default: 'pending' })
  status: DatasetStatus;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** When its rows were read; null before. */
  @Column('timestamptz', { nullable: true })
  frozenAt: Date | null;

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
}

/** A file of a dataset. */
@Entity('dataset_parts')
@ForeignKey('Dataset', ['workspaceId', 'datasetId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class DatasetPart extends WrittenPart {
  @PrimaryColumn('uuid')
  datasetId: string;

  /** Path of a file that this one replaces after an erasure, until it is removed. */
  @Column('text', { nullable: true })
  replacedKey: string | null;
}
