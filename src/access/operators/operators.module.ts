import { Module } from '@nestjs/common';
import { AdminSessionsRepository } from './admin-sessions.repository.js';
import { OperatorAccountsRepository } from './operator-accounts.repository.js';
import { Operators } from './operators.js';

/** The accounts of operators, for the API and for commands. */
@Module({
  providers: [AdminSessionsRepository, OperatorAccountsRepository, Operators],
  exports: [AdminSessionsRepository, Operators],
})
export class OperatorsModule {}
