import { type DynamicModule, Module } from '@nestjs/common';
import { TransactionRunner } from '../database/transaction-runner.js';
import type { SearchedTable } from './searched-table.js';
import { SegmentBuilder } from './segments/build/segment-builder.js';

/** Builds the segments from which searches are answered. */
@Module({})
export class SearchIndexModule {
  /** Builds those of these tables. */
  static of(tables: readonly SearchedTable[]): DynamicModule {
    return {
      module: SearchIndexModule,
      providers: [
        {
          provide: SegmentBuilder,
          inject: [TransactionRunner],
          useFactory: (transactions: TransactionRunner) => new SegmentBuilder(tables, transactions),
        },
      ],
    };
  }
}
