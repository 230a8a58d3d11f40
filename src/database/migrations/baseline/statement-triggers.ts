/** Tables whose rows are counted and indexed for search. */
export type IndexedTable = 'posts' | 'comments';

/**
 * Triggers named `NAME_inserted`, `NAME_updated`, `NAME_deleted` and `NAME_truncated`, which call a function once per
 * statement with the rows that it `added` and `removed`. Such a function reads these in a SELECT of its own and passes
 * its rows to INSERTs by value: Citus does not know transition tables, so a statement that names one cannot also
 * name a distributed table.
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

/**
 * Rows that are deleted with their workspace are neither counted nor listed: rows about them would have no
 * workspace to refer to. Nodes of Citus have no table of workspaces to look into, and no such foreign key.
 */
export const unlessCascaded = (statements: string): string => `
        BEGIN
          ${statements}
        EXCEPTION WHEN foreign_key_violation THEN
          RETURN NULL;
        END;`;
