import { Module } from '@nestjs/common';
import { StreamsRepository } from './streams/streams.repository.js';
import { TopicListings } from './streams/topic-listings.js';

/** What the streams of platforms bring. */
@Module({ providers: [StreamsRepository, TopicListings], exports: [StreamsRepository, TopicListings] })
export class StreamsRepositoryModule {}
