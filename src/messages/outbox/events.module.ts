import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxEvent } from './outbox-event.entity.js';
import { ErasedEventsRepository } from './erased-events.repository.js';
import { OutboxRepository } from './outbox.repository.js';

/** The outbox: events stored together with the change they report. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEvent])],
  providers: [OutboxRepository, ErasedEventsRepository],
  exports: [OutboxRepository, ErasedEventsRepository],
})
export class EventsModule {}
