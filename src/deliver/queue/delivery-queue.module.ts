import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesRepository } from './deliveries.repository.js';
import { Delivery } from './delivery.entity.js';
import { DestinationQueuesRepository } from './destination-queues.repository.js';
import { SenderWakeUp } from './sender-wake-up.js';

const PROVIDERS = [DeliveriesRepository, DestinationQueuesRepository, SenderWakeUp];

/** Deliveries, the queues of their destinations, and the signal that some are due. */
@Module({ imports: [TypeOrmModule.forFeature([Delivery])], providers: PROVIDERS, exports: PROVIDERS })
export class DeliveryQueueModule {}
