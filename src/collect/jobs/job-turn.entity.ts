import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/**
 * A workspace's position in the order in which workspaces start jobs, in units of 100 posts (see `JobTurnsRepository`).
 */
@Entity('job_turns')
@Index('job_turns_newest', ['startTag'])
export class JobTurn extends WorkspaceRow {
  /** Virtual time at which the workspace's last started job began. */
  @Column('double precision')
  startTag: number;

  /** Earliest virtual time at which the workspace's next job starts while others wait. */
  @Column('double precision')
  finishTag: number;
}
