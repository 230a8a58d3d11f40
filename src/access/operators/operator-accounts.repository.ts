import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Person } from '../api-keys/members.repository.js';
import { OperatorAccount } from './operator-account.entity.js';

/** Reads and writes `operator_accounts`. */
@Injectable()
export class OperatorAccountsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Binds an address to an account unless it is bound; returns the subject of the account to which it is bound. */
  async bind({ email, subject }: Person): Promise<string> {
    // An update without a change makes Postgres return the row of another account, too.
    const [bound] = await this.dataSource.query<[{ subject: string }]>(
      `INSERT INTO operator_accounts (email, subject) VALUES ($1, $2)
       ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING subject`,
      [email, subject],
    );
    return bound.subject;
  }

  /** By address. */
  list(): Promise<OperatorAccount[]> {
    return this.dataSource.manager.find(OperatorAccount, { order: { email: 'ASC' } });
  }

  /** False when no account is bound to the address. */
  async delete(email: string): Promise<boolean> {
    const { affected } = await this.dataSource.manager.delete(OperatorAccount, { email });
    return affected === 1;
  }
}
