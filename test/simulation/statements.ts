import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import type { History } from './history.js';
import { type Actor, real, type VirtualTime } from './virtual-time.js';

type Callback = (error: Error | null, result?: pg.QueryResult) => void;
type AnyClient = pg.Client & {
  processID: number;
  connection: { stream: { destroyed: boolean } };
  release: (destroy?: boolean) => void;
};
type Issue = (done: Callback) => void;

/** A statement that waits for its turn. */
export interface Statement {
  actor: Actor;
  client: AnyClient;
  /** Verb and table. */
  words: string;
  /** Its words after those of the two statements before it in its transaction. */
  site: string;
  isCommit: boolean;
  /** Whether it changes or locks rows. */
  isChange: boolean;
  issue: Issue;
  deliver: Callback;
}

interface Running {
  statement: Statement;
  outcome: [Error | null, pg.QueryResult?] | null;
}

type Signal = 'SIGSTOP' | 'SIGCONT' | 'SIGTERM';

/** How long a statement may take before it is checked whether it waits for a lock. */
const PATIENCE_MS = 20;
/** Turns of the event loop after which code that waits for no statement has done all it can. */
const TURNS = 3;

const LOST = 'Connection terminated unexpectedly';

/**
 * All statements of the service's processes, of which one at a time is given to Postgres, so that their order is the
 * simulation's choice. Connections can be lost before or after a statement, and all those of a process at once.
 */
export class Statements {
  readonly waiting: Statement[] = [];
  /** Statements without an outcome, in the order in which they began. */
  private readonly blocked: Running[] = [];
  private readonly held = new Map<AnyClient, { actor: Actor; release: (destroy?: boolean) => void }>();
  /** Connections whose transaction has changed or locked rows. */
  private readonly changing = new Set<AnyClient>();
  /** The last statements of open transactions. */
  private readonly before = new Map<AnyClient, string[]>();
  /** Connections whose server process is stopped while it waits for a lock. */
  private readonly stopped = new Set<AnyClient>();
  private connecting = 0;
  private onEnded: () => void = () => undefined;

  /** @param control a connection that is no part of the simulation */
  constructor(
    private readonly time: VirtualTime,
    private readonly control: pg.Client,
    readonly history: () => History,
  ) {}

  /** Statements that may run now: the first of each connection whose process lives and is awake. */
  eligible(): Statement[] {
    const seen = new Set<AnyClient>(this.blocked.map(({ statement }) => statement.client));
    return this.waiting.filter((statement) => {
      if (seen.has(statement.client)) return false;
      seen.add(statement.client);
      return statement.actor.pausedUntil <= this.time.now;
    });
  }

  /** Whether a statement is part of a transaction that has changed or locked rows. */
  isChanging({ client }: Statement): boolean {
    return this.changing.has(client);
  }

  /** Gives a statement to Postgres; its caller gets the result unless the statement waits for a lock. */
  async run(statement: Statement, isResultLost = false): Promise<void> {
    this.waiting.splice(this.waiting.indexOf(statement), 1);
    if (statement.isChange) this.changing.add(statement.client);
    if (/^(START|COMMIT|ROLLBACK)/.test(statement.words)) this.changing.delete(statement.client);
    const running: Running = { statement, outcome: null };
    statement.issue((error, result) => {
      running.outcome = [error, result];
      this.onEnded();
    });
    this.blocked.push(running);
    await this.settle(running, isResultLost);
  }

  /** Loses a connection before its next statement reaches Postgres. */
  async loseBefore(statement: Statement): Promise<void> {
    this.note(statement, 'connection lost before it');
    await this.terminate([statement.client]);
    await this.run(statement);
  }

  /** Runs a statement and loses its result. */
  async loseAfter(statement: Statement): Promise<void> {
    this.note(statement, 'connection lost after it');
    await this.run(statement, true);
  }

  /** Ends a process: its open transactions are rolled back, and none of its code runs again. */
  async kill(actor: Actor): Promise<void> {
    actor.isDead = true;
    const drop = <T>(list: T[], of: (item: T) => Actor): void =>
      void list.splice(0, list.length, ...list.filter((item) => of(item) !== actor));
    drop(this.waiting, ({ actor: owner }) => owner);
    drop(this.blocked, ({ statement }) => statement.actor);
    const own = [...this.held].filter(([, { actor: owner }]) => owner === actor);
    await this.terminate(own.map(([client]) => client));
    // TypeORM releases a connection when it is lost.
    for (const [client, { release }] of own) if (this.held.delete(client)) release(true);
    await this.settle();
    await this.quiet();
  }

  /** Resolves when no code can go on without a statement or a timer. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < TURNS; turns = this.connecting > 0 ? 0 : turns + 1)
      await new Promise((resolve) => real.setImmediate(resolve));
  }

  /**
   * Waits until every running statement has ended or waits for a lock, and passes results on in order. Of statements that
   * wait for one lock, Postgres would let any be the first to go on: those that wait are stopped, and go on one by one.
   */
  private async settle(first?: Running, isResultLost = false): Promise<void> {
    const done: Running[] = [];
    for (let next = first ?? (await this.unlocked()); next !== undefined; next = await this.unlocked()) {
      this.signal(next.statement.client, 'SIGCONT');
      while (next.outcome === null) if (!(await this.ended()) && (await this.waitsForLock(next))) break;
      if (next.outcome === null) this.signal(next.statement.client, 'SIGSTOP');
      else done.push(...this.blocked.splice(this.blocked.indexOf(next), 1));
    }
    for (const { statement, outcome } of done) {
      const isLost = isResultLost && statement === first?.statement;
      const [error, result] = outcome!;
      this.note(statement, error === null ? `${result?.rowCount ?? 0} rows` : `failed: ${error.message}`);
      if (isLost) await this.terminate([statement.client]);
      if (statement.actor.isDead) continue;
      if (isLost) statement.deliver(new Error(LOST));
      else statement.deliver(error, result);
    }
    if (done.length > 0) await this.quiet();
  }

  /** Resolves with true when a statement ends, and with false when none does for a while. */
  private ended(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = real.setTimeout(() => resolve(false), PATIENCE_MS);
      this.onEnded = () => {
        real.clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /** The first statement that waited for a lock and has it now. */
  private async unlocked(): Promise<Running | undefined> {
    if (this.stopped.size === 0) return undefined;
    const waits = await this.waits();
    return this.blocked.find(({ statement }) => waits.get(statement.client.processID)?.length === 0);
  }

  /** Whether a statement waits for a lock, and does not wait for itself, which Postgres notices. */
  private async waitsForLock({ statement }: Running): Promise<boolean> {
    const waits = await this.waits();
    const pid = statement.client.processID;
    const reached = new Set(waits.get(pid));
    for (const by of reached) for (const next of waits.get(by) ?? []) reached.add(next);
    return reached.size > 0 && !reached.has(pid);
  }

  /** For each server process of a running statement those that it waits for. */
  private async waits(): Promise<Map<number, number[]>> {
    const { rows } = await this.control.query<{ pid: number; by: number[] }>(
      'SELECT pid, pg_blocking_pids(pid) AS by FROM unnest($1::int[]) AS pid',
      [this.blocked.map(({ statement }) => statement.client.processID)],
    );
    return new Map(rows.map(({ pid, by }) => [pid, by]));
  }

  /** Stops the server process of a connection, which waits for a lock, or lets a stopped one go on. */
  private signal(client: AnyClient, signal: Signal): void {
    if (signal === 'SIGSTOP') this.stopped.add(client);
    else if (!this.stopped.has(client)) return;
    process.kill(client.processID, signal);
    if (signal === 'SIGCONT') this.stopped.delete(client);
  }

  private async terminate(clients: readonly AnyClient[]): Promise<void> {
    if (clients.length === 0) return;
    const ended = clients.map(
      (client) =>
        new Promise((resolve) =>
          client.connection.stream.destroyed ? resolve(null) : client.once('end', resolve),
        ),
    );
    // Those that wait for a lock end before the others release it.
    const ordered = [...clients].sort((a, b) => Number(this.stopped.has(b)) - Number(this.stopped.has(a)));
    for (const client of ordered)
      for (const signal of ['SIGTERM', 'SIGCONT'] as const) this.signal(client, signal);
    await this.control.query('SELECT pg_terminate_backend(pid, 10000) FROM unnest($1::int[]) AS pid', [
      ordered.map(({ processID }) => processID),
    ]);
    await Promise.all(ended);
  }

  private siteOf(client: AnyClient, words: string): string {
    const before = this.before.get(client) ?? [];
    if (words.startsWith('START')) this.before.set(client, ['START']);
    else if (/^(COMMIT|ROLLBACK)/.test(words)) this.before.delete(client);
    else if (this.before.has(client)) this.before.set(client, [...before, words].slice(-2));
    return [...before, words].join(', ');
  }

  private note({ actor, words }: Statement, what: string): void {
    this.history().add(`${actor.name}: ${words}: ${what}`);
  }

  /** Lets every client of this process wait for its turn, unless the simulation itself uses it. */
  install(): void {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- pg's methods have a `this` of their own
    const statements = this;
    const { query, connect } = pg.Client.prototype as unknown as Record<
      string,
      (...given: unknown[]) => unknown
    >;
    const pooled = pg.Pool.prototype.connect as unknown as (given: unknown) => unknown;
    Object.assign(pg.Client.prototype, {
      query(this: AnyClient, ...given: unknown[]): unknown {
        const { actor } = statements.time;
        const callback = given.at(-1);
        const isCopy = given[0] instanceof pg.Query;
        if (actor === null || !(isCopy || typeof callback === 'function')) return query!.apply(this, given);
        const description = described(given[0]);
        // A query of another kind than pg's own brings its callback along.
        const copy = given[0] as { callback: Callback };
        const deliver = AsyncResource.bind(isCopy ? copy.callback : (callback as Callback));
        // A limit in the machine's time would end a statement that waits for a lock in one run and not in another.
        if (typeof given[0] === 'string')
          given[0] = given[0].replace(/(SET LOCAL statement_timeout =) \d+/, '$1 0');
        statements.waiting.push({
          actor,
          client: this,
          ...description,
          site: statements.siteOf(this, description.words),
          issue: (done) =>
            statements.time.outside(() => {
              if (isCopy) copy.callback = done;
              query!.apply(this, isCopy ? given : [...given.slice(0, -1), done]);
            }),
          deliver,
        });
        return undefined;
      },
      connect(this: AnyClient, callback?: (error: unknown) => void): unknown {
        if (callback === undefined) return connect!.call(this);
        statements.connecting += 1;
        return connect!.call(this, (error: unknown) => {
          statements.connecting -= 1;
          callback(error);
        });
      },
    });
    Object.assign(pg.Pool.prototype, {
      connect(this: pg.Pool, callback: (error: unknown, client: AnyClient, release: never) => void): unknown {
        const { actor } = statements.time;
        if (actor === null) return pooled.call(this, callback);
        return pooled.call(
          this,
          AsyncResource.bind((error: unknown, client: AnyClient, release: (destroy?: boolean) => void) => {
            if (client === undefined) return callback(error, client, release as never);
            const free = (destroy?: boolean): void => {
              statements.held.delete(client);
              release(destroy);
            };
            statements.held.set(client, { actor, release });
            // pg's pool gives the client the same function.
            client.release = free;
            callback(error, client, free as never);
          }),
        );
      },
    });
  }
}

function described(statement: unknown): Pick<Statement, 'words' | 'isCommit' | 'isChange'> {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text;
  const verb =
    /\b(SELECT|INSERT|UPDATE|DELETE|COMMIT|ROLLBACK|START|BEGIN|SET)\b/i.exec(text)?.[0] ?? 'statement';
  const table = /\b(?:UPDATE|INTO|FROM) "?(\w+)"?/.exec(text)?.[1] ?? '';
  return {
    words: `${verb} ${table}`.trim(),
    isCommit: /^COMMIT/.test(text),
    isChange: /\b(INSERT|UPDATE|DELETE)\b/.test(text),
  };
}
