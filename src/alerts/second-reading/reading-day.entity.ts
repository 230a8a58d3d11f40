import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How many second readings a workspace had on the latest day with one. */
@Entity('reading_days')
export class ReadingDay {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** In UTC. */
  @Column('date')
  day: string;

  @Column('integer')
  calls: number;
}
