import { Module } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { COMMENT_SEARCH } from '../comments/comment-filter.js';
import { POST_SEARCH } from '../posts/post-filter.js';
import { SegmentBuilder } from '../search/segments/build/segment-builder.js';
import { SegmentBuilding } from '../search/segments/build/segment-building.js';

/** Builds the segments that lists, facets and series of posts and comments read. */
@Module({
  providers: [
    SegmentBuilding,
    {
      provide: SegmentBuilder,
      inject: [TransactionRunner],
      useFactory: (transactions: TransactionRunner) =>
        new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], transactions),
    },
  ],
})
export class SegmentBuildingModule {}
