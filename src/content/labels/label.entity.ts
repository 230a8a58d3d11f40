import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A labeller's label of a post or comment; one of each labeller. */
@Entity('labels')
@Index('labels_of_record', ['workspaceId', 'recordId'])
export class Label {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

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
