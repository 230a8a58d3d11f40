import { Injectable } from '@nestjs/common';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { HeardTextsRepository } from './heard-texts.repository.js';
import { StreamsRepository } from './streams.repository.js';

/** Drops topics that no job reads any more, and old posts. */
@Injectable()
export class StreamPruner {
  constructor(pruner: Pruner, streams: StreamsRepository, heard: HeardTextsRepository) {
    pruner.add('streams', () => streams.prune());
    pruner.add('heard texts', () => heard.prune());
  }
}
