import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problems/problem.js';
import type { Person } from '../api-keys/members.repository.js';
import { AdminSessionsRepository } from './admin-sessions.repository.js';
import type { OperatorAccount } from './operator-account.entity.js';
import { OperatorAccountsRepository } from './operator-accounts.repository.js';

/** The people who are operators by their accounts at the identity provider. */
@Injectable()
export class Operators {
  constructor(
    @Inject(ENVIRONMENT)
    private readonly environment: Pick<Environment, 'ADMIN_TOKEN' | 'OIDC_ISSUER' | 'OIDC_ADMIN_EMAILS'>,
    private readonly accounts: OperatorAccountsRepository,
    private readonly sessions: AdminSessionsRepository,
  ) {}

  /** Whether the environment makes this address that of an operator. */
  has(email: string): boolean {
    const { ADMIN_TOKEN, OIDC_ISSUER, OIDC_ADMIN_EMAILS } = this.environment;
    return ADMIN_TOKEN !== undefined && OIDC_ISSUER !== undefined && OIDC_ADMIN_EMAILS.includes(email);
  }

  /** Binds the address of an operator to the first account that signs in with it; false for any other account. */
  async bind(person: Person): Promise<boolean> {
    return (await this.accounts.bind(person)) === person.subject;
  }

  /** The accounts of operators, by address. */
  list(): Promise<OperatorAccount[]> {
    return this.accounts.list();
  }

  /** Lets the next account bind itself to an address, and ends the sessions of the former one. Throws 404. */
  async unbind(email: string): Promise<void> {
    if (!(await this.accounts.delete(email)))
      throw new Problem('not_found', `No account is bound to ${email}`);
    await this.sessions.deleteOf(email);
  }
}
