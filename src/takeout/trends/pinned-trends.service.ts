import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Problem } from '../../http/problems/problem.js';
import { type CreatePinnedTrendDto, PinnedTrendDto } from './pinned-trend.dto.js';
import type { PinnedTrend } from './pinned-trend.entity.js';
import { PinnedTrendsRepository } from './pinned-trends.repository.js';
import { TrendSeries } from './trend-series.js';

/** Maximum number of pinned trends of a workspace. */
const MAX_PINS = 50;
const TOKEN_BYTES = 32;
const LINK_MS = 90 * 86_400_000;

/** The hash under which the token of a link is stored. */
export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Keeps trends for all members of a workspace, and links to them. */
@Injectable()
export class PinnedTrendsService {
  constructor(
    private readonly pins: PinnedTrendsRepository,
    private readonly series: TrendSeries,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  async list(workspaceId: string): Promise<PinnedTrendDto[]> {
    return (await this.pins.list(workspaceId)).map((pin) => PinnedTrendDto.from(pin));
  }

  /** Throws 400 for a trend that has no chart, and 403 `quota_exceeded`. */
  async create(workspaceId: string, trend: CreatePinnedTrendDto): Promise<PinnedTrendDto> {
    if (trend.split_by !== undefined && trend.queries.length > 1)
      throw Problem.validation([{ field: 'split_by', message: 'split_by takes at most one query' }]);
    await this.series.read(workspaceId, trend, 'UTC');
    const pin: PinnedTrend = {
      workspaceId,
      id: newId(),
      trend,
      createdAt: this.clock.now(),
      linkHash: null,
      linkExpiresAt: null,
    };
    if (!(await this.transactions.run((tx) => this.pins.insert(pin, MAX_PINS, tx))))
      throw new Problem(
        'quota_exceeded',
        `A workspace has at most ${MAX_PINS} pinned trends. Remove one first.`,
      );
    return PinnedTrendDto.from(pin);
  }

  /** Throws 404. */
  async delete(workspaceId: string, id: string): Promise<void> {
    if (!(await this.pins.delete(workspaceId, id))) throw Problem.notFound('pin');
  }

  /** Gives the pin a new secret token in place of an earlier one; it ends with `latestEnd` at the latest. Throws 404. */
  async createLink(
    workspaceId: string,
    id: string,
    latestEnd: Date | null,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const end = new Date(this.clock.now().getTime() + LINK_MS);
    const expiresAt = latestEnd !== null && latestEnd < end ? latestEnd : end;
    await this.setLink(workspaceId, id, { linkHash: hashOfLink(token), linkExpiresAt: expiresAt });
    return { token, expiresAt };
  }

  /** Ends the link of a pin. Throws 404 for an unknown pin. */
  async endLink(workspaceId: string, id: string): Promise<void> {
    await this.setLink(workspaceId, id, { linkHash: null, linkExpiresAt: null });
  }

  private async setLink(
    workspaceId: string,
    id: string,
    link: Pick<PinnedTrend, 'linkHash' | 'linkExpiresAt'>,
  ): Promise<void> {
    if (!(await this.pins.setLink(workspaceId, id, link))) throw Problem.notFound('pin');
  }
}
