import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that executes jobs. A process that was killed stays until a day later; `seenAt` says that it is gone. */
@Entity('job_workers')
export class JobWorkerRow {
  /** Host, process id and a random part. */
  @PrimaryColumn('text')
  id: string;

  /** Last sign of life, database time. */
  @Column('timestamptz')
  seenAt: Date;
}
