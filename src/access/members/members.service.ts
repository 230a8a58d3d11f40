import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import { hashKey } from '../api-keys/key-format.js';
import { MembersRepository } from '../api-keys/members.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { MemberDto } from './dto/member.dto.js';
import { Invitations } from './invitations.js';
import { type Role, scopesOf } from './member-roles.js';

/** The people of a workspace. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly sessions: SessionsService,
    private readonly quotas: QuotasService,
    private readonly transactions: TransactionRunner,
    private readonly invitations: Invitations,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  list(workspaceId: string): Promise<ApiKey[]> {
    return this.members.list(workspaceId);
  }

  /**
   * Adds a person, or changes the role of a member, and sends the invitation; returns why none was sent, null when one was.
   * Throws 403 `quota_exceeded`.
   */
  async add(
    workspaceId: string,
    email: string,
    role: Role,
  ): Promise<{ member: ApiKey; refusal: string | null }> {
    const member: ApiKey = {
      workspaceId,
      id: newId(),
      name: email,
      keyPrefix: email,
      // No text has this hash, so that a member signs in only with an account.
      keyHash: hashKey(randomBytes(32).toString('hex')),
      email,
      subject: null,
      scopes: scopesOf(role),
      isActive: true,
      expiresAt: null,
      lastUsedAt: null,
      createdAt: this.clock.now(),
    };
    const id = await this.transactions.run(async (tx) => {
      await this.quotas.enforce(workspaceId, 'api_keys', 1, tx);
      return this.members.save(member, tx);
    });
    const refusal = await this.invitations.send(workspaceId, email);
    return { member: (await this.members.find(workspaceId, id)) ?? member, refusal };
  }

  /** Throws 404. */
  async setRole(workspaceId: string, id: string, role: Role): Promise<ApiKey> {
    const former = await this.get(workspaceId, id);
    await this.members.setScopes(workspaceId, id, scopesOf(role));
    const member = await this.get(workspaceId, id);
    noteRecord(MemberDto.from(former), MemberDto.from(member));
    return member;
  }

  /** Removes a person and ends their sessions. Throws 404. */
  async remove(workspaceId: string, id: string): Promise<void> {
    noteRecord(await this.get(workspaceId, id), null);
    if (!(await this.members.delete(workspaceId, id))) throw Problem.notFound('member');
    await this.sessions.endOfCredential(workspaceId, id);
  }

  private async get(workspaceId: string, id: string): Promise<ApiKey> {
    const member = await this.members.find(workspaceId, id);
    if (member === null) throw Problem.notFound('member');
    return member;
  }
}
