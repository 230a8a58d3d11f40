import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { queryPrepared } from '../../database/prepared-query.js';
import type { Listener } from '../../tenants/ports/listeners.js';
import { withoutAuthor } from '../../search/query/erased-author.js';
import { Alert } from './alert.entity.js';
import { ChannelRows } from './channel-rows.js';
import type { AlertScope, MatchableAlert } from './alert-scope.js';

/** A query counts as one keyword for each of this number of characters. */
export const QUERY_CHARACTERS = 200;

/**
 * Alerts of workspaces. A user's change that affects matching increments the workspace's alert version; counting a
 * triggering or recording the state of a channel does not.
 */
@Injectable()
export class AlertsRepository extends ChannelRows {
  constructor(@InjectRepository(Alert) private readonly alerts: Repository<Alert>) {
    super('alerts', alerts.manager);
  }

  async insert(alert: Alert, tx: EntityManager): Promise<void> {
    await tx.insert(Alert, alert);
    await this.incrementVersion(alert.workspaceId, tx);
  }

  /** Number of alerts. */
  count(workspaceId: string, tx: EntityManager = this.alerts.manager): Promise<number> {
    return tx.countBy(Alert, { workspaceId });
  }

  /** Sum over all alerts of keywords × forums, counting at least one forum each, and a query by its length. */
  async countKeywords(workspaceId: string, tx: EntityManager = this.alerts.manager): Promise<number> {
    const [row] = await tx.query<[{ count: number }]>(
      `SELECT coalesce(sum((cardinality(keywords) + ceil(length(coalesce(query, '')) / ${QUERY_CHARACTERS}.0))
         * greatest(1, cardinality(forums))), 0)::int AS count
       FROM alerts WHERE workspace_id = $1`,
      [workspaceId],
    );
    return row.count;
  }

  list(workspaceId: string): Promise<Alert[]> {
    return this.alerts.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<Alert | null> {
    return this.alerts.findOneBy({ workspaceId, id });
  }

  /** The existing alerts among these ids, in no particular order. */
  findAll(workspaceId: string, ids: readonly string[]): Promise<Alert[]> {
    return this.alerts.findBy({ workspaceId, id: In([...ids]) });
  }

  /** The alert, locked against other changes until the transaction ends. */
  lock(workspaceId: string, id: string, tx: EntityManager): Promise<Alert | null> {
    return tx.findOne(Alert, { where: { workspaceId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** The active alerts among these, locked in id order, so that two batches cannot deadlock. */
  lockActive(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<Alert[]> {
    return tx
      .createQueryBuilder(Alert, 'alert')
      .where('alert.workspaceId = :workspaceId AND alert.id = ANY(:ids) AND alert.isActive', {
        workspaceId,
        ids,
      })
      .orderBy('alert.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  async update(
    workspaceId: string,
    id: string,
    changes: Partial<Omit<Alert, 'workspaceId' | 'id'>>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.update(Alert, { workspaceId, id }, changes);
    await this.incrementVersion(workspaceId, tx);
  }

  /** Replaces the name of an erased author in queries, and in names, which are queries by default. */
  async eraseAuthor(workspaceId: string, author: string, tx: EntityManager): Promise<void> {
    const found = await tx
      .createQueryBuilder(Alert, 'alert')
      .where('workspace_id = :workspaceId', { workspaceId })
      .andWhere(`strpos(lower(concat_ws(' ', name, query)), lower(:author)) > 0`, { author })
      .getMany();
    for (const { id, name, query } of found)
      await this.update(
        workspaceId,
        id,
        { name: withoutAuthor(name, author), query: query && withoutAuthor(query, author) },
        tx,
      );
  }

  /** Deletes an alert; false when the workspace has no such alert. */
  async delete(workspaceId: string, id: string, tx: EntityManager): Promise<boolean> {
    const result = await tx.delete(Alert, { workspaceId, id });
    if (result.affected !== 1) return false;
    // In a Citus cluster there is no foreign key from matches, which are distributed, to alerts, which are not.
    await tx.query('DELETE FROM alert_matches WHERE workspace_id = $1 AND alert_id = $2', [workspaceId, id]);
    await tx.query('DELETE FROM alert_relevance WHERE workspace_id = $1 AND alert_id = $2', [
      workspaceId,
      id,
    ]);
    await this.incrementVersion(workspaceId, tx);
    return true;
  }

  /** The workspace's alert version, which increases with every change; "0" before the first alert. */
  async version(workspaceId: string, tx: EntityManager = this.alerts.manager): Promise<string> {
    const [row] = await queryPrepared<{ version: string }>(tx, FIND_VERSION, [workspaceId]);
    return row?.version ?? '0';
  }

  /** The active alerts on single matches, from which a matcher is compiled. */
  active(
    workspaceId: string,
    tx: EntityManager = this.alerts.manager,
  ): Promise<(MatchableAlert & { of: AlertScope })[]> {
    return tx.find(Alert, {
      where: { workspaceId, isActive: true, spike: IsNull(), story: IsNull() },
      select: { id: true, keywords: true, query: true, of: true, forums: true },
    });
  }

  /** A text that changes when an alert of any workspace begins or ends to listen, or its query changes. */
  async listenersVersion(): Promise<string> {
    const [row] = await this.alerts.query<[{ version: string }]>(
      `SELECT count(*) || ':' || coalesce(sum(hashtextextended(ROW(id, listen, keywords, query, of, forums)::text, 0)), 0) AS version
       FROM alerts WHERE is_active AND listen <> '{}'`,
    );
    return row.version;
  }

  /** The active alerts of all workspaces that listen. */
  listeners(): Promise<Listener[]> {
    return this.alerts
      .createQueryBuilder('alert')
      .select(
        ['workspaceId', 'id', 'listen', 'of', 'keywords', 'query', 'forums'].map((name) => `alert.${name}`),
      )
      .where(`alert.isActive AND alert.listen <> '{}'`)
      .getMany();
  }

  /** What the alerts of a workspace listen to, paused ones too. */
  listened(
    workspaceId: string,
    tx: EntityManager = this.alerts.manager,
  ): Promise<Pick<Alert, 'id' | 'listen'>[]> {
    return tx.query(`SELECT id, listen FROM alerts WHERE workspace_id = $1 AND listen <> '{}'`, [
      workspaceId,
    ]);
  }

  /** Counts one triggering for each of these alerts. */
  async countTriggering(
    workspaceId: string,
    ids: readonly string[],
    now: Date,
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `UPDATE alerts SET trigger_count = trigger_count + 1, last_triggered_at = $3
       WHERE workspace_id = $1 AND id = ANY($2)`,
      [workspaceId, ids, now],
    );
  }

  private async incrementVersion(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.query(
      `INSERT INTO alert_versions (workspace_id, version) VALUES ($1, 1)
       ON CONFLICT (workspace_id) DO UPDATE SET version = alert_versions.version + 1`,
      [workspaceId],
    );
  }
}

const FIND_VERSION = {
  name: 'find_alert_version',
  text: 'SELECT version FROM alert_versions WHERE workspace_id = $1',
};
