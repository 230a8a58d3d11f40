import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that executes jobs. The row of a killed process remains for a day; `seenAt` shows that it is gone. */
@Entity('job_workers')
export class JobWorkerRow {
  /** Host, process id and a random part. */
  @PrimaryColumn('text')
  id: string;

  /** Last heartbeat, database time. */
  @Column('timestamptz')
  seenAt: Date;

  /** Since when its claims fail, database time; null while they succeed. */
  @Column('timestamptz', { nullable: true })
  claimsFailingSince: Date | null;

  /** Message of the last failed claim; null while claims succeed. */
  @Column('text', { nullable: true })
  claimFailure: string | null;
}
