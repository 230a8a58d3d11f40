/** Tables whose rows are counted and indexed for search. */
export type IndexedTable = 'posts' | 'comments';

/**
 * Triggers named `NAME_inserted`, `NAME_updated`, `NAME_deleted` and `NAME_truncated`, which call a function once per
 * statement with the rows that it `added` and `removed`.
 */
export const statementTriggers = (name: string, table: IndexedTable, trigger: string): string => `
  CREATE TRIGGER ${name}_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION ${trigger}();
  CREATE TRIGGER ${name}_updated AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION ${trigger}();
  CREATE TRIGGER ${name}_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION ${trigger}();
  CREATE TRIGGER ${name}_truncated AFTER TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION ${trigger}();`;

/** Returns at once after a statement that affected no row of its kind: an upsert fires both triggers. */
export const RETURN_WITHOUT_ROWS = 'IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;';

/** Subquery of the rows deleted, but not with their workspace: what is stored about those goes by its foreign key. */
export const REMAINING =
  '(SELECT removed.* FROM removed JOIN workspaces ON workspaces.id = removed.workspace_id)';
