import type { EntityManager } from 'typeorm';
import { distinctBy } from '../common/collections.js';
import { binaryArray, type Element, isElementType } from './binary-array.js';
import { columnsOf, type EntityColumn, tableOf } from './entity-columns.js';
import { queryPrepared } from './prepared-query.js';

interface Stored {
  workspaceId: string;
  id: string | number;
  scrapedAt: Date;
  annotations?: Record<string, unknown>;
}

/** Records changes in the same statement that stores the rows. */
export interface UpsertHistory {
  /** Columns of `before` and `stored`. */
  columns: readonly string[];
  /** Additional CTEs over `before` (existing rows in their old state) and `stored` (all rows in their new state). */
  ctes: string;
}

/** The ids of rows, in the driver's format. */
export interface Upserted {
  /** Not stored before. */
  newIds: string[];
  /** Stored with a later reading, which they keep. */
  keptIds: string[];
}

/** Columns that the statement treats differently from the others. */
const OWN_PLACEHOLDER = new Set(['workspaceId', 'annotations']);

/**
 * Stores many rows of one workspace in one statement: new rows are inserted; existing ones take the new values and keep
 * annotations that the new row lacks. A row that was read later than the new one (`scraped_at`) stays as it is; of two
 * with the same time the one that is written last counts. For entities whose key is (workspaceId, id) and that have
 * `annotations`; table, columns and types come from the entity.
 */
export class RecordUpsert<Row extends Stored> {
  private readonly statement: { name: string; text: string };
  private readonly insertion: { name: string; text: string };
  private readonly columns: readonly EntityColumn[];

  /**
   * Only {@link RecordUpsert.run} records `history`. Existing rows take the values of `assigned`, SQL expressions by
   * column, in place of those of the new row.
   */
  constructor(
    entity: new () => Row,
    { history, assigned }: { history?: UpsertHistory; assigned: Readonly<Record<string, string>> },
  ) {
    const table = tableOf(entity);
    this.columns = columnsOf(entity).filter(
      ({ property, isWritten }) => isWritten && !OWN_PLACEHOLDER.has(property),
    );
    const names = this.columns.map(({ name }) => name);
    // Set-returning functions in a select list advance together, row by row; in FROM each result would be materialised
    // first.
    const values = this.columns.map(({ name, type, isArray }, index) => {
      // The lists differ in length per row, so they cannot form one two-dimensional array.
      if (isArray) return `unnest($${index + 3}::text[])::${type}[]`;
      if (type === 'tsvector') return `unnest($${index + 3}::text[])::tsvector`;
      const value = `unnest($${index + 3}::${type}[])`;
      // The clock of a machine may have stepped ahead: later readings would be refused until that time.
      return name === 'scraped_at' ? `least(${value}, clock_timestamp())` : value;
    });
    const written = names.filter((name) => name !== 'id').map((name) => [name, `excluded.${name}`] as const);
    const assignments = [...new Map([...written, ...Object.entries(assigned)])].map(
      ([name, value]) => `${name} = ${value}`,
    );
    const insertion = `INSERT INTO ${table} (workspace_id, annotations, ${names.join(', ')})
       SELECT $1, unnest($2::text[])::jsonb, ${values.join(', ')}
       ON CONFLICT (workspace_id, id)`;
    this.insertion = { name: `insert_${table}`, text: `${insertion} DO NOTHING RETURNING id` };
    const upsert = `${insertion} DO UPDATE SET
         annotations = ${table}.annotations || excluded.annotations, ${assignments.join(', ')}
       WHERE ${readNoLater(table, 'excluded.scraped_at')}
       RETURNING id, xmax = 0 AS is_new`;
    this.statement = {
      name: `upsert_${table}`,
      text: history === undefined ? upsert : withHistory(table, upsert, names.indexOf('id') + 3, history),
    };
  }

  /**
   * Of several rows with the same id the first is stored, because a statement cannot write a row twice. Rows are
   * written in order of id, so that two transactions over the same rows cannot deadlock.
   */
  async run(
    workspaceId: string,
    records: readonly Omit<Row, 'workspaceId'>[],
    tx: EntityManager,
  ): Promise<Upserted> {
    if (records.length === 0) return { newIds: [], keptIds: [] };
    const stored = await queryPrepared<{ id: string; is_new: boolean }>(
      tx,
      this.statement,
      this.parameters(workspaceId, records),
    );
    const written = new Set(stored.map(({ id }) => id));
    return {
      newIds: stored.filter((row) => row.is_new).map(({ id }) => id),
      keptIds: records.map(({ id }) => String(id)).filter((id) => !written.has(id)),
    };
  }

  /**
   * Inserts the rows that are not stored yet, leaves existing ones unchanged, and returns the ids of the new ones.
   * Handles duplicate ids and row order as {@link run} does.
   */
  async insertNew(
    workspaceId: string,
    records: readonly Omit<Row, 'workspaceId'>[],
    tx: EntityManager,
  ): Promise<string[]> {
    if (records.length === 0) return [];
    const parameters = this.parameters(workspaceId, records);
    return (await queryPrepared<{ id: string }>(tx, this.insertion, parameters)).map(({ id }) => id);
  }

  private parameters(workspaceId: string, records: readonly Omit<Row, 'workspaceId'>[]): unknown[] {
    const rows = distinctBy(records as readonly Row[], ({ id }) => id).sort((a, b) => (a.id < b.id ? -1 : 1));
    return [
      workspaceId,
      binaryArray(
        'text',
        rows.map((row) => JSON.stringify(row.annotations ?? {})),
      ),
      ...this.columns.map((column) => parameter(column, rows)),
    ];
  }
}

/** SQL: whether the stored row of a table was read no later than a `time`. All that replaces its text asks this. */
export const readNoLater = (table: string, time: string): string => `${table}.scraped_at <= ${time}`;

/**
 * The statement as a CTE, preceded by one that reads the old rows: both see the same snapshot. Citus executes CTEs one
 * after another, and would read the old rows last, where they are used, unless they are materialized.
 */
function withHistory(table: string, upsert: string, ids: number, { columns, ctes }: UpsertHistory): string {
  const list = columns.join(', ');
  return `WITH before AS MATERIALIZED (SELECT id, ${list} FROM ${table} WHERE workspace_id = $1 AND id = ANY($${ids})),
    stored AS (${upsert}, ${list}), ${ctes}
    SELECT id, is_new FROM stored`;
}

function parameter<Row>({ property, type, isArray }: EntityColumn, rows: readonly Row[]): Buffer {
  const values = rows.map((row) => row[property as keyof Row]);
  if (isArray) return binaryArray('text', (values as string[][]).map(listLiteral));
  if (type === 'tsvector') return binaryArray('text', values as string[]);
  if (!isElementType(type)) throw new Error(`No binary form for a column of type ${type}`);
  return binaryArray(type, values as Element[]);
}

/** A list of texts as a Postgres array literal. */
function listLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${/["\\]/.test(item) ? item.replace(/["\\]/g, '\\$&') : item}"`).join(',')}}`;
}
