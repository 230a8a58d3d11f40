import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Traces } from '../tenants/ports/traces.js';
import { PinnedTrend } from './trends/pinned-trend.entity.js';
import { PinnedTrendsRepository } from './trends/pinned-trends.repository.js';

/** Pinned trends, for the processes that show and those that erase. */
@Module({
  imports: [TypeOrmModule.forFeature([PinnedTrend])],
  providers: [PinnedTrendsRepository],
  exports: [PinnedTrendsRepository],
})
export class PinnedTrendsModule {
  constructor(traces: Traces, pins: PinnedTrendsRepository) {
    traces.register({
      erase: async (workspaceId, subject) => {
        if (subject?.kind === 'author') await pins.eraseAuthor(workspaceId, subject.author);
      },
    });
  }
}
