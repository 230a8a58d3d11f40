import { Module } from '@nestjs/common';
import { Operators } from './operators.js';

/** The accounts of operators, for the API and for commands. */
@Module({
  providers: [Operators],
  exports: [Operators],
})
export class OperatorsModule {}
