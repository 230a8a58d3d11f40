import { Module } from '@nestjs/common';
import { Pruner } from '../infrastructure/pruning/pruner.js';
import { PortsModule } from '../tenants/ports.module.js';
import { Removals } from '../tenants/ports/removals.js';
import { ArrivalsRepository } from './arrivals/arrivals.repository.js';

const PRUNED_AT_ONCE = 5_000;

/** Stored posts and comments, in the order in which they became visible. */
@Module({ imports: [PortsModule], providers: [ArrivalsRepository], exports: [ArrivalsRepository] })
export class ArrivalsModule {
  constructor(pruner: Pruner, removals: Removals, arrivals: ArrivalsRepository) {
    removals.register({
      tables: ['arrivals'],
      when: 'erasure',
      posts: arrivals.forgetPosts.bind(arrivals),
    });
    pruner.add('arrivals', async () => (await arrivals.deleteExpired(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE);
  }
}
