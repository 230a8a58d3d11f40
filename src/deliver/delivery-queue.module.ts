import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../messages/events.module.js';
import { PortsModule } from '../tenants/ports.module.js';
import { Removals } from '../tenants/ports/removals.js';
import { DeliveriesRepository } from './queue/deliveries.repository.js';
import { Delivery } from './queue/delivery.entity.js';
import { DestinationQueuesRepository } from './queue/destination-queues.repository.js';
import { ErasedNotifications } from './queue/erased-notifications.js';
import { SenderWakeUp } from './queue/sender-wake-up.js';

const PROVIDERS = [DeliveriesRepository, DestinationQueuesRepository, ErasedNotifications, SenderWakeUp];

/** Deliveries, the queues of their destinations, and the signal that some are due. */
@Module({
  imports: [EventsModule, PortsModule, TypeOrmModule.forFeature([Delivery])],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class DeliveryQueueModule {
  constructor(removals: Removals, notifications: ErasedNotifications) {
    removals.register({
      tables: ['outbox_events', 'deliveries'],
      when: 'erasure',
      posts: async (workspaceId, postIds, tx) => ({
        events: await notifications.eraseRecords(workspaceId, { postIds, commentIds: [], author: null }, tx),
      }),
      comments: async (workspaceId, commentIds, tx) => ({
        events: await notifications.eraseRecords(workspaceId, { postIds: [], commentIds, author: null }, tx),
      }),
    });
  }
}
