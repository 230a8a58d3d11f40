import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../common/ids.js';
import { mapInSlices } from '../../common/slices.js';
import { DEFAULT_PAGE_SIZE, type OffsetPageDto } from '../../http/pages/page.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { WorkspaceKeys } from '../../tenants/workspace-keys/workspace-keys.service.js';
import { SuppressionDto, type SuppressionPageDto } from './dto/suppression.dto.js';
import type { Subject } from '../../tenants/ports/erasure-subject.js';
import { subjectText } from './suppressed-subject.js';
import { type RefusedHash, SuppressionsRepository } from './suppressions.repository.js';

/** Keeps erased content from being stored again. Names and ids are hashed with a key of the workspace. */
@Injectable()
export class Suppressions {
  constructor(
    private readonly suppressions: SuppressionsRepository,
    private readonly keys: WorkspaceKeys,
    private readonly transactions: TransactionRunner,
  ) {}

  async list(
    workspaceId: string,
    { limit = DEFAULT_PAGE_SIZE, offset = 0 }: OffsetPageDto,
  ): Promise<SuppressionPageDto> {
    const [found, total] = await this.suppressions.list(workspaceId, { limit, offset });
    return {
      suppressions: found.map((suppression) => SuppressionDto.from(suppression)),
      total,
      has_more: offset + found.length < total,
    };
  }

  /** Throws 404. */
  async delete(workspaceId: string, id: string): Promise<void> {
    if (!(await this.suppressions.delete(workspaceId, id))) throw Problem.notFound('suppression');
  }

  /** A function that hashes subjects of the workspace. */
  async hasher(workspaceId: string, tx?: EntityManager): Promise<(subject: Subject) => Buffer> {
    const key = await this.keys.get(workspaceId, 'suppressions', tx);
    return (subject) => createHmac('sha256', key).update(subjectText(subject)).digest();
  }

  /** Suppresses a subject from now on; returns the id of the suppression. */
  async add(workspaceId: string, kind: Subject['kind'], hash: Buffer, tx: EntityManager): Promise<string> {
    const id = await this.suppressions.insert(workspaceId, { id: newId(), kind, hash }, tx);
    await this.suppressions.addHashes(workspaceId, id, [hash], tx);
    return id;
  }

  /**
   * Adds hashes to a suppression, unless it was deleted. When this resolves, no transaction that did not see them can
   * still store suppressed content.
   */
  async extend(workspaceId: string, id: string, hashes: readonly Buffer[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.suppressions.lockOutWriters(workspaceId, tx);
      await this.suppressions.addHashes(workspaceId, id, hashes, tx);
    });
  }

  /**
   * Those of the rows that may be stored, in the same order; the first subject of a row is its own. Called in the
   * transaction that stores them. Refused posts and comments are suppressed by their ids from then on, so that neither
   * their comments are stored, nor they themselves when the platform shows them without their author.
   */
  async allowed<Row>(
    workspaceId: string,
    rows: readonly Row[],
    subjectsOf: (row: Row) => Subject[],
    tx: EntityManager,
  ): Promise<readonly Row[]> {
    if (rows.length === 0) return rows;
    await this.suppressions.lockForWrite(workspaceId, tx);
    const { allowed, refused } = await this.sift(workspaceId, rows, subjectsOf, tx);
    if (refused.length > 0) await this.suppressions.addRefused(workspaceId, refused, tx);
    return allowed;
  }

  /** As {@link Suppressions.allowed}, for what is decided before that transaction. */
  allowedNow<Row>(
    workspaceId: string,
    rows: readonly Row[],
    subjectsOf: (row: Row) => Subject[],
  ): Promise<readonly Row[]> {
    return this.transactions.run((tx) => this.allowed(workspaceId, rows, subjectsOf, tx));
  }

  /** Those of the rows that are not suppressed now, in the same order. */
  async filter<Row>(
    workspaceId: string,
    rows: readonly Row[],
    subjectsOf: (row: Row) => Subject[],
  ): Promise<readonly Row[]> {
    const { allowed } = await this.transactions.run((tx) => this.sift(workspaceId, rows, subjectsOf, tx));
    return allowed;
  }

  /** Divides rows into those that are not suppressed, in the same order, and the hashes of those not refused by id. */
  private async sift<Row>(
    workspaceId: string,
    rows: readonly Row[],
    subjectsOf: (row: Row) => Subject[],
    tx: EntityManager,
  ): Promise<{ allowed: readonly Row[]; refused: RefusedHash[] }> {
    const everything = { allowed: rows, refused: [] };
    if (!(await this.suppressions.hasAny(workspaceId, tx))) return everything;
    const hash = await this.hasher(workspaceId, tx);
    const hashes = await mapInSlices(rows, (row) => subjectsOf(row).map(hash));
    const suppressed = await this.suppressions.find(workspaceId, hashes.flat(), tx);
    if (suppressed.size === 0) return everything;
    const isSuppressed = (one: Buffer): boolean => suppressed.has(one.toString('hex'));
    const reasons = hashes.map((own) => own.find(isSuppressed));
    return {
      allowed: rows.filter((_, index) => reasons[index] === undefined),
      refused: reasons.flatMap((by, index) => {
        const [own] = hashes[index]!;
        return by === undefined || by === own ? [] : [{ hash: own!, by }];
      }),
    };
  }
}
