import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, type EntityMetadata } from 'typeorm';

const WORKSPACE_COLUMN = 'workspace_id';

/** Columns omitted from exports: those derived from other columns, and hashes of credentials. */
const NOT_EXPORTED = `'{search,key_hash,token_hash}'::text[]`;

/** Prefix of the search index tables, whose rows are derived from posts and comments. */
const SEARCH_INDEX = 'search_';
/** The arrivals of the last day, which streams read. */
const ARRIVALS = 'arrivals';

/** A table that contains workspace rows. */
export interface TenantTable {
  name: string;
  /** Columns of the primary key. */
  key: readonly string[];
}

/**
 * The rows of a workspace in every table whose entity has a `workspaceId`, so that new tables are included
 * automatically. Each table still belongs to its own module: this class only deletes and exports whole workspaces.
 */
@Injectable()
export class TenantRowsRepository {
  /** Ordered so that a table comes before the tables it references. */
  readonly tables: readonly TenantTable[];
  /** Names of the tables whose rows are not derived from other tables. */
  readonly exported: readonly string[];

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.tables = referringFirst(
      dataSource.entityMetadatas.filter(({ columns }) =>
        columns.some(({ databaseName }) => databaseName === WORKSPACE_COLUMN),
      ),
    ).map(({ tableName, primaryColumns }) => ({
      name: tableName,
      key: primaryColumns.map(({ databaseName }) => databaseName),
    }));
    this.exported = this.tables
      .map(({ name }) => name)
      .filter((name) => !name.startsWith(SEARCH_INDEX) && name !== ARRIVALS);
  }

  /**
   * Deletes up to `limit` rows, table by table, skipping the tables in `kept`; returns their number, 0 when nothing is
   * left.
   */
  async deleteBatch(
    workspaceId: string,
    limit: number,
    tx: EntityManager,
    kept: ReadonlySet<string> = new Set(),
  ): Promise<number> {
    let total = 0;
    for (const { name, key } of this.tables.filter((table) => !kept.has(table.name))) {
      const [, deleted] = await tx.query<[unknown[], number]>(
        `DELETE FROM "${name}" WHERE ${WORKSPACE_COLUMN} = $1 AND ctid = ANY (ARRAY(
           SELECT ctid FROM "${name}" WHERE ${WORKSPACE_COLUMN} = $1 ORDER BY ${key.join(', ')} LIMIT $2))`,
        [workspaceId, limit - total],
      );
      total += deleted;
      if (total >= limit) break;
    }
    return total;
  }

  /** The rows of a table as objects by column name, read in batches. Columns that exports omit are left out. */
  async *rows(
    workspaceId: string,
    table: string,
    tx: EntityManager,
  ): AsyncGenerator<Record<string, unknown>> {
    const stream = await tx.queryRunner!.stream(
      `SELECT to_jsonb(row) - ${NOT_EXPORTED} AS row FROM "${table}" AS row WHERE ${WORKSPACE_COLUMN} = $1`,
      [workspaceId],
    );
    for await (const { row } of stream as AsyncIterable<{ row: Record<string, unknown> }>) yield row;
  }
}

function referringFirst(tables: readonly EntityMetadata[]): EntityMetadata[] {
  const ordered: EntityMetadata[] = [];
  const visit = (table: EntityMetadata): void => {
    if (ordered.includes(table)) return;
    for (const other of tables)
      if (
        other !== table &&
        other.foreignKeys.some(({ referencedEntityMetadata }) => referencedEntityMetadata === table)
      )
        visit(other);
    ordered.push(table);
  };
  tables.forEach(visit);
  return ordered;
}
