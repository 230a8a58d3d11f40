import { Injectable } from '@nestjs/common';

/** The encrypted columns of one table: rows in order, page by page, and the conditional replacement of one row. */
export interface SealedRows<Row extends { workspaceId: string }> {
  /** Rows that are not encrypted with the key of this prefix, after `after`, at most `limit`. */
  findSealedOtherwise(prefix: string, after: Row | null, limit: number): Promise<Row[]>;
  /** Replaces the values of a row unless they changed since they were read. */
  replaceSealed(workspaceId: string, former: Row, next: Row): Promise<unknown>;
}

/** Encrypts the values of a row with the newest key. Throws `SecretUnreadableError` if no key can read them. */
export interface Resealing<Row> {
  reseal(row: Row): Row;
}

/** Re-encrypts the rows of one table. */
export interface SealedTable {
  find(prefix: string, after: unknown, limit: number): Promise<{ workspaceId: string }[]>;
  /** Throws as {@link Resealing}. */
  reseal(row: { workspaceId: string }): Promise<unknown>;
}

/** Where the owners of encrypted columns register them, so that re-encryption knows no table. */
@Injectable()
export class SealedColumns {
  readonly tables: SealedTable[] = [];
  /** Whether rows that are left to expire are encrypted with another key than that of the prefix. */
  readonly expiring: ((prefix: string) => Promise<boolean>)[] = [];

  /** Call it once per table, at startup. */
  register<Row extends { workspaceId: string }>(
    rows: SealedRows<NoInfer<Row>>,
    sealing: Resealing<Row>,
  ): void {
    this.tables.push({
      find: (prefix, after, limit) => rows.findSealedOtherwise(prefix, after as Row | null, limit),
      reseal: async (row) => rows.replaceSealed(row.workspaceId, row as Row, sealing.reseal(row as Row)),
    });
  }

  /** Registers rows that expire within days and are not re-encrypted. */
  registerExpiring(hasSealedOtherwise: (prefix: string) => Promise<boolean>): void {
    this.expiring.push(hasSealedOtherwise);
  }
}
