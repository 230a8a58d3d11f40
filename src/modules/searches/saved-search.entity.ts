import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ExportedKind } from '../exports/exported-table.js';
import type { SortOrder } from '../search/searched-table.js';

/** A search that a workspace keeps under a name. */
@Entity('saved_searches')
export class SavedSearch {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  of: ExportedKind;

  @Column('text', { nullable: true })
  q: string | null;

  /** The other filters of the list. */
  @Column('jsonb')
  filters: object;

  /** Null for the default of the list. */
  @Column('text', { nullable: true })
  sortBy: string | null;

  @Column('text')
  sortOrder: SortOrder;

  @Column('timestamptz')
  createdAt: Date;
}
