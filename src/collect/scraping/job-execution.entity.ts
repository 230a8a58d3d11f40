import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** The execution of a running job: its lease, and where it resumes after a crash. Removed when the job ends. */
@Entity('job_executions')
export class JobExecutionRow extends WorkspaceRow {
  @PrimaryColumn('uuid')
  jobId: string;

  /** Whether the job uses a slot for small jobs. */
  @Column('boolean')
  isSmall: boolean;

  /** The claim that may write for the job until `leaseUntil`; null after its worker released the job. */
  @Column('text', { nullable: true })
  leaseOwner: string | null;

  @Column('timestamptz')
  leaseUntil: Date;

  /** Number of claims since the job last stored a batch. */
  @Column('integer')
  attempts: number;

  /** Number of workers in a row that lost their lease without storing a batch. */
  @Column('integer', { default: 0 })
  workerDeaths: number;

  /** A `ListingCheckpoint`; null before the first batch. */
  @Column('jsonb', { nullable: true })
  checkpoint: unknown;

  /** Version of the workspace's phrase frequencies that the job reads; 0 for none. */
  @Column('integer')
  keywordsVersion: number;
}
