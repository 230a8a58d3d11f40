import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { ExportedKind } from '../exports/exported-table.js';
import type { SortOrder } from '../../search/searched-table.js';

/** A search that a workspace keeps under a name. */
@Entity('saved_searches')
@Index('saved_searches_by_feed', ['workspaceId', 'feedTokenHash'])
export class SavedSearch extends WorkspaceRecord {
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

  /** Sources that are read for it, in their normal form; none by default. */
  @Column('text', { array: true, default: [] })
  listen: string[];

  /** SHA-256 of the token of its feed, in hex; null without a feed. */
  @Column('text', { nullable: true })
  feedTokenHash: string | null;
}
