import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { inSnapshot, SearchDatabase } from './search-database.js';
import { BlockCache } from './segments/read/block-cache.js';
import { SegmentLoader } from './segments/read/segment-loader.js';
import { selectDirectories } from './segments/read/segment-statements.js';

/**
 * Reads the directories of the segments of the workspace with the largest index before the API listens, because every
 * search in segments reads them first.
 */
@Injectable()
export class SearchWarmUp implements OnApplicationBootstrap {
  private readonly logger = new Logger(SearchWarmUp.name);

  constructor(
    private readonly database: SearchDatabase,
    private readonly blocks: BlockCache,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** The service works without a warm-up, so a failure is only logged. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.environment.ROLES.includes('api')) return;
    try {
      const workspaceId = await this.database.largestIndex();
      if (workspaceId === null) return;
      await this.database.run(workspaceId, (run) =>
        inSnapshot(run, async () => {
          const entries = await run<{ id: string; rows: number }>(selectDirectories(workspaceId));
          const loader = new SegmentLoader(workspaceId, this.blocks, run);
          await loader.directories(entries.map(({ id, rows }) => [id, rows, 0]));
        }),
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'search not warmed up');
    }
  }
}
