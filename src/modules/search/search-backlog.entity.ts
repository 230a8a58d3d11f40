import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A workspace's table with rows that predate the triggers of `search_changes` and are still to be listed there. */
@Entity('search_backlogs')
@Check('search_backlogs_kind_check', "kind IN ('posts', 'comments')")
export class SearchBacklog {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** The table of the rows. */
  @PrimaryColumn('text')
  kind: 'posts' | 'comments';

  /** Id of the last row that was listed; null before the first. */
  @Column('text', { nullable: true })
  listedTo: string | null;
}
