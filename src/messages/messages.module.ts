import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ErasedEventsRepository } from './outbox/erased-events.repository.js';
import { OutboxEvent } from './outbox/outbox-event.entity.js';
import { OutboxRepository } from './outbox/outbox.repository.js';

/** The outbox: events stored together with the change they report. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEvent])],
  providers: [OutboxRepository, ErasedEventsRepository],
  exports: [OutboxRepository, ErasedEventsRepository],
})
export class MessagesModule {}
