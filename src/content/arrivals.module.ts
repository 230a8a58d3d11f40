import { Module } from '@nestjs/common';
import { Pruner } from '../infrastructure/pruning/pruner.js';
import { ArrivalsRepository } from './arrivals/arrivals.repository.js';

const PRUNED_AT_ONCE = 5_000;

/** What was stored, in the order in which it became visible. */
@Module({ providers: [ArrivalsRepository], exports: [ArrivalsRepository] })
export class ArrivalsModule {
  constructor(pruner: Pruner, arrivals: ArrivalsRepository) {
    pruner.add('arrivals', async () => (await arrivals.deleteExpired(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE);
  }
}
