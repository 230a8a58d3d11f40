import { Injectable } from '@nestjs/common';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { StreamsRepository } from './streams.repository.js';

/** Drops topics that no job reads any more, and old posts. */
@Injectable()
export class StreamPruner {
  constructor(pruner: Pruner, streams: StreamsRepository) {
    pruner.add('streams', () => streams.prune());
  }
}
