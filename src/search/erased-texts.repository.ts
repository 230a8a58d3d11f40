import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/**
 * Makes the builder of segments write erased rows out of the search index now instead of within a day: first the lists
 * of changed rows, which marks the segments with erased rows, then these segments.
 */
@Injectable()
export class ErasedTextsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Makes all present changes of a workspace due. */
  async expediteChanges(workspaceId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE search_changes SET changed_at = '-infinity' WHERE workspace_id = $1 AND changed_at > '-infinity'`,
      [workspaceId],
    );
  }

  /** Makes all segments with erased rows due. */
  async expediteSegments(workspaceId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE search_segments SET erased_since = '-infinity' WHERE workspace_id = $1 AND erased_since > '-infinity'`,
      [workspaceId],
    );
  }

  /** Whether changes or segments that were made due are still to be written. */
  async isDue(workspaceId: string): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ isDue: boolean }]>(
      `SELECT EXISTS (SELECT FROM search_changes WHERE workspace_id = $1 AND changed_at = '-infinity')
         OR EXISTS (SELECT FROM search_segments WHERE workspace_id = $1 AND erased_since = '-infinity') AS "isDue"`,
      [workspaceId],
    );
    return row.isDue;
  }
}
