import { ForeignKey, PrimaryColumn } from 'typeorm';

/** A row of a workspace, which is deleted with it. */
export abstract class WorkspaceRow {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;
}

/** A row of a workspace with an id of its own. */
export abstract class WorkspaceRecord extends WorkspaceRow {
  @PrimaryColumn('uuid')
  id: string;
}
