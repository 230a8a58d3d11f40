import { Module } from '@nestjs/common';
import { PlatformModule } from '../platforms/platform.module.js';
import { StreamPruner } from './streams/stream-pruner.js';
import { StreamReader } from './streams/stream-reader.js';
import { StreamsRepositoryModule } from './streams-repository.module.js';

/** Reads the streams of platforms; part of the scheduler role. */
@Module({ imports: [PlatformModule, StreamsRepositoryModule], providers: [StreamReader, StreamPruner] })
export class StreamsModule {}
