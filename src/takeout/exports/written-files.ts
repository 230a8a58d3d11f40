import { Column, PrimaryColumn } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { ExportedKind } from './exported-table.js';

/** Columns of what a worker writes into the media store as files. */
export abstract class WrittenFiles extends WorkspaceRecord {
  @Column('text')
  kind: ExportedKind;

  /** Those of the list; of a dataset with the query as `q`. */
  @Column('jsonb')
  filters: Record<string, unknown>;

  @Column('text', { nullable: true })
  errorMessage: string | null;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;

  /** The worker that is writing the files; null when there is none. */
  @Column('text', { nullable: true })
  leaseOwner: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  /** Number of claims since the last part was recorded. */
  @Column('integer', { default: 0 })
  attempts: number;
}

/** Columns of a finished file. */
export abstract class WrittenPart {
  @PrimaryColumn('uuid')
  workspaceId: string;

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
}

/** Sizes and files as responses show them; `path` is that of the files' folder. */
export const shownParts = (path: string, parts: readonly WrittenPart[]) => ({
  rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  parts: parts.map(({ number, rows, bytes, sha256 }) => ({ path: `${path}/${number}`, rows, bytes, sha256 })),
});
