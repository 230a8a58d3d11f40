import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Incremented with every change of a workspace's alerts, so that an outdated matcher can be recognised. */
@Entity('alert_versions')
export class AlertVersion {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** A 64-bit integer as text. */
  @Column('bigint')
  version: string;
}
