import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThan, LessThanOrEqual, MoreThan } from 'typeorm';
import { AdminSession } from './admin-session.entity.js';

/** Reads and writes `admin_sessions`. */
@Injectable()
export class AdminSessionsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Stores a session, and deletes those that have expired. */
  async insert(session: AdminSession): Promise<void> {
    await this.dataSource.manager.insert(AdminSession, session);
    await this.dataSource.manager.delete(AdminSession, { expiresAt: LessThanOrEqual(session.createdAt) });
  }

  /** A session of this admin token that has not expired and was used after `idleSince`. */
  find(
    { tokenHash, adminTokenHash }: Pick<AdminSession, 'tokenHash' | 'adminTokenHash'>,
    now: Date,
    idleSince: Date,
  ): Promise<AdminSession | null> {
    return this.dataSource.manager.findOneBy(AdminSession, {
      tokenHash,
      adminTokenHash,
      expiresAt: MoreThan(now),
      lastUsedAt: MoreThan(idleSince),
    });
  }

  /** Records a use, unless a later one than `unlessSince` is recorded. */
  async touch(tokenHash: Buffer, now: Date, unlessSince: Date): Promise<void> {
    await this.dataSource.manager.update(
      AdminSession,
      { tokenHash, lastUsedAt: LessThan(unlessSince) },
      { lastUsedAt: now },
    );
  }

  async delete(tokenHash: Buffer): Promise<void> {
    await this.dataSource.manager.delete(AdminSession, { tokenHash });
  }

  /** Deletes the sessions of the operator with this address. */
  async deleteOf(operator: string): Promise<void> {
    await this.dataSource.manager.delete(AdminSession, { operator });
  }
}
