import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** A labeller's label of a post or comment; one of each labeller. */
@Entity('labels')
@Index('labels_of_record', ['workspaceId', 'recordId'])
export class Label extends WorkspaceRow {
  @PrimaryColumn('text')
  labeller: string;

  /** Id of a post or comment, as responses show it. */
  @PrimaryColumn('text')
  recordId: string;

  @Column('text')
  label: string;

  @Column('timestamptz', { default: () => 'now()' })
  labelledAt: Date;
}
