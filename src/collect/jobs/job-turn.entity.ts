import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A workspace's position in the order in which workspaces start jobs, in units of 100 posts (see `JobTurnsRepository`).
 */
@Entity('job_turns')
@Index('job_turns_newest', ['startTag'])
export class JobTurn {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** Virtual time at which the workspace's last started job began. */
  @Column('double precision')
  startTag: number;

  /** Earliest virtual time at which the workspace's next job starts while others wait. */
  @Column('double precision')
  finishTag: number;
}
