import { Module } from '@nestjs/common';
import { StreamsRepository } from './streams/streams.repository.js';
import { TopicListings } from './streams/topic-listings.js';

/** Posts and deletions from the streams of platforms. */
@Module({ providers: [StreamsRepository, TopicListings], exports: [StreamsRepository, TopicListings] })
export class StreamsRepositoryModule {}
