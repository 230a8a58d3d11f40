import type { EntityManager } from 'typeorm';
import { binaryArray, type Element, type ElementType } from './binary-array.js';
import { queryPrepared } from './prepared-query.js';

type Columns<Row> = readonly (readonly [keyof Row & string, ElementType | 'text[]'])[];
type Annotated<Row> = Row & { annotations?: Record<string, unknown> };

/**
 * Stores many records of one workspace in one statement: new ones go in, known ones take the new values and keep
 * annotations that are not written anew. For tables whose key is (workspace_id, id) and that hold `annotations`.
 */
export class RecordUpsert<Row extends { id: string | number }> {
  private readonly statement: { name: string; text: string };

  /** `columns` are all but `workspace_id` and `annotations`. */
  constructor(
    table: string,
    private readonly columns: Columns<Row>,
  ) {
    const names = columns.map(([name]) => name);
    // Sets in a select list advance together, row by row; in FROM each would first be stored as a whole.
    const values = columns.map(([, type], index) =>
      // Lists have different lengths, so that they cannot be one array of two dimensions.
      type === 'text[]' ? `unnest($${index + 3}::text[])::text[]` : `unnest($${index + 3}::${type}[])`,
    );
    const assignments = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
    this.statement = {
      name: `upsert_${table}`,
      text: `INSERT INTO ${table} (workspace_id, annotations, ${names.join(', ')})
       SELECT $1, unnest($2::text[])::jsonb, ${values.join(', ')}
       ON CONFLICT (workspace_id, id) DO UPDATE SET
         annotations = ${table}.annotations || excluded.annotations, ${assignments.join(', ')}
       RETURNING id, xmax = 0 AS is_new`,
    };
  }

  /**
   * Ids of those that were not stored before, as the driver reads them. Each id at most once; rows go in in order of id,
   * so that two jobs over the same records cannot wait for each other.
   */
  async run(workspaceId: string, records: readonly Annotated<Row>[], tx: EntityManager): Promise<string[]> {
    if (records.length === 0) return [];
    const rows = [...records].sort((a, b) => (a.id < b.id ? -1 : 1));
    const stored = await queryPrepared<{ id: string; is_new: boolean }>(tx, this.statement, [
      workspaceId,
      binaryArray(
        'text',
        rows.map((row) => JSON.stringify(row.annotations ?? {})),
      ),
      ...this.columns.map(([name, type]) => parameter(type, name, rows)),
    ]);
    return stored.filter((row) => row.is_new).map((row) => row.id);
  }
}

function parameter<Row>(type: ElementType | 'text[]', name: keyof Row, rows: readonly Row[]): Buffer {
  return type === 'text[]'
    ? binaryArray(
        'text',
        rows.map((row) => listLiteral(row[name] as readonly string[])),
      )
    : binaryArray(
        type,
        rows.map((row) => row[name] as Element),
      );
}

/** A list of texts as Postgres reads it. */
function listLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${/["\\]/.test(item) ? item.replace(/["\\]/g, '\\$&') : item}"`).join(',')}}`;
}
