import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import type { Scope } from '../../http/request/scope.js';
import { ApiKey } from './api-key.entity.js';

/** An account of the identity provider, with the verified address that it has there. */
export interface Person {
  /** `ISSUER SUBJECT`, which identifies the account for good. */
  subject: string;
  /** In the form of `normalEmail`. */
  email: string;
}

const IS_MEMBER = { email: Not(IsNull()) };

/** Reads and writes the members of `api_keys`. */
@Injectable()
export class MembersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Stores a member, or gives the one with this address these scopes; returns its id. */
  async save(member: ApiKey, tx: EntityManager): Promise<string> {
    const [stored] = await tx.query<[{ id: string }]>(
      `INSERT INTO api_keys (workspace_id, id, name, key_prefix, key_hash, email, scopes, is_active, created_at)
       VALUES ($1, $2, $3, $3, $4, $3, $5, true, $6)
       ON CONFLICT (workspace_id, email) WHERE email IS NOT NULL DO UPDATE SET scopes = excluded.scopes
       RETURNING id`,
      [member.workspaceId, member.id, member.email, member.keyHash, member.scopes, member.createdAt],
    );
    return stored.id;
  }

  /** Oldest first. */
  list(workspaceId: string): Promise<ApiKey[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return this.dataSource.manager.find(ApiKey, { where: { workspaceId, ...IS_MEMBER }, order });
  }

  find(workspaceId: string, id: string): Promise<ApiKey | null> {
    return this.dataSource.manager.findOneBy(ApiKey, { workspaceId, id, ...IS_MEMBER });
  }

  async setScopes(workspaceId: string, id: string, scopes: Scope[]): Promise<void> {
    await this.dataSource.manager.update(ApiKey, { workspaceId, id, ...IS_MEMBER }, { scopes });
  }

  /** False when the workspace has no such member. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    const { affected } = await this.dataSource.manager.delete(ApiKey, { workspaceId, id, ...IS_MEMBER });
    return affected === 1;
  }

  /**
   * The memberships of a person, the one used last first. An account counts by its subject; by its address only where no
   * account has signed in yet. Crosses workspaces.
   */
  ofPerson({ subject, email }: Person): Promise<ApiKey[]> {
    return this.dataSource.manager.find(ApiKey, {
      where: [
        { subject, ...IS_MEMBER },
        { email, subject: IsNull() },
      ],
      order: { lastUsedAt: { direction: 'DESC', nulls: 'LAST' }, createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** Whether an account has signed in as the member with this address. Crosses workspaces. */
  isBound(email: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(ApiKey, { email, subject: Not(IsNull()) });
  }

  /** Connects a member with an account, unless another one is connected. */
  async bind(workspaceId: string, id: string, subject: string): Promise<void> {
    await this.dataSource.manager.update(
      ApiKey,
      { workspaceId, id, subject: IsNull(), ...IS_MEMBER },
      { subject },
    );
  }
}
