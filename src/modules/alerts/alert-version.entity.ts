import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Grows with every change of a workspace's alerts, so that a compiled matcher can be recognised as outdated. */
@Entity('alert_versions')
export class AlertVersion {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** A 64-bit integer as text. */
  @Column('bigint')
  version: string;
}
