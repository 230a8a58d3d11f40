import pg from 'pg';

/** The role that may see and change only rows of one workspace, the one in the setting `wss.workspace_id`. */
export const WORKSPACE_ROLE = 'wss_workspace';

/** SQL for the workspace of the current transaction; null when it has none. */
export const PRESENT_WORKSPACE = `nullif(current_setting('wss.workspace_id', true), '')::uuid`;

/** Called with the result of a query. */
export type QueryCallback = (error: Error | undefined, result: pg.QueryResult) => void;

/** The part of pg's connection that is used here. */
interface Connection {
  bind(message: { statement: string; values: unknown[] }): void;
  execute(message: { portal: string }): void;
}

/** The part of pg's query that is overridden here; pg's types omit it. */
const Query = pg.Query as unknown as new (
  config: unknown,
  values: unknown,
  callback: QueryCallback,
) => {
  requiresPreparation(): boolean;
  prepare(connection: Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
};

/** Settings for one transaction, besides role and workspace. Names and values need no quotes. */
export type LocalSettings = Readonly<Record<string, string>>;

const SET_WORKSPACE = 'set_workspace';

/**
 * Sets role, workspace and further settings for one transaction. A connection must have parsed it before its first
 * {@link WorkspaceQuery}.
 */
export const setWorkspace = (settings: LocalSettings): { name: string; text: string } => ({
  name: SET_WORKSPACE,
  text: `SELECT ${[
    `set_config('role', '${WORKSPACE_ROLE}', true)`,
    `set_config('wss.workspace_id', $1, true)`,
    ...Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`),
  ].join(', ')}`,
});

/**
 * The statements that start a workspace's transaction, given the first of them. They contain no query, so that the
 * isolation level can still be set.
 */
export const startTransaction = (start: string, workspaceId: string, settings: LocalSettings): string =>
  [
    start,
    `SET LOCAL ROLE ${WORKSPACE_ROLE}`,
    `SET LOCAL wss.workspace_id = ${pg.escapeLiteral(workspaceId)}`,
    ...Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`),
  ].join('; ');

/**
 * A statement that runs as {@link WORKSPACE_ROLE} for a workspace, outside transactions. A preceding statement in the
 * same round trip sets role and workspace; both form one implicit transaction, also behind PgBouncer.
 */
export class WorkspaceQuery extends Query {
  /** Whether the result of {@link setWorkspace}, which is not for the caller, has been received. */
  private isSet = false;

  constructor(
    private readonly workspaceId: string,
    config: unknown,
    values: unknown,
    callback: QueryCallback,
  ) {
    super(config, values, callback);
  }

  /** The simple protocol would end the transaction before the statement runs. */
  override requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: Connection): void {
    connection.bind({ statement: SET_WORKSPACE, values: [this.workspaceId] });
    connection.execute({ portal: '' });
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.isSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isSet) super.handleCommandComplete(message, connection);
    this.isSet = true;
  }
}
