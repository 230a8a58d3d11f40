import { Column, Entity } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Incremented with every change of a workspace's alerts, so that an outdated matcher can be recognised. */
@Entity('alert_versions')
export class AlertVersion extends WorkspaceRow {
  /** A 64-bit integer as text. */
  @Column('bigint')
  version: string;
}
