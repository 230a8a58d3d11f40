import { Module } from '@nestjs/common';
import { StreamsRepository } from './streams.repository.js';
import { TopicListings } from './topic-listings.js';

/** What the streams of platforms bring. */
@Module({ providers: [StreamsRepository, TopicListings], exports: [StreamsRepository, TopicListings] })
export class StreamsRepositoryModule {}
