import { DataSet } from '../data/data-set.js';
import { HackerNewsRoutes } from '../hackernews/hackernews-routes.js';
import type { FaultOptions, SandboxOptions } from '../options.js';
import { ArchiveRoutes } from './archive.js';
import { Faults } from './faults.js';
import { PlatformClock } from './platform-clock.js';
import { ApiRoutes } from './routes.js';

/** The state that a test can change while the platform runs, and what is derived from it. */
export class PlatformState {
  data!: DataSet;
  clock!: PlatformClock;
  api!: ApiRoutes;
  archive!: ArchiveRoutes;
  hackerNews!: HackerNewsRoutes;
  faults: Faults | null = null;

  constructor(private readonly options: SandboxOptions) {
    this.reset();
  }

  /** Restores the initial state. */
  reset(): void {
    this.clock = new PlatformClock(this.options.now ?? Date.now, this.options.clock?.getTime() ?? null);
    this.data = new DataSet({ ...this.options, now: this.clock.now });
    this.api = new ApiRoutes(this.data);
    this.archive = new ArchiveRoutes(
      this.data,
      this.api.listings,
      this.options.archiveSlowAboveLimit ?? null,
    );
    this.hackerNews = new HackerNewsRoutes(this.data);
    this.setFaults(this.options.faults ?? null);
  }

  setFaults(faults: FaultOptions | null): void {
    this.faults = faults && new Faults(this.data.seed, faults);
  }
}
