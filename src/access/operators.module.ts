import { Module } from '@nestjs/common';
import { AdminSessionsRepository } from './operators/admin-sessions.repository.js';
import { OperatorAccountsRepository } from './operators/operator-accounts.repository.js';
import { Operators } from './operators/operators.js';

/** The accounts of operators, for the API and for commands. */
@Module({
  providers: [AdminSessionsRepository, OperatorAccountsRepository, Operators],
  exports: [AdminSessionsRepository, Operators],
})
export class OperatorsModule {}
