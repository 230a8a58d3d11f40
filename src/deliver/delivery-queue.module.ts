import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesRepository } from './queue/deliveries.repository.js';
import { Delivery } from './queue/delivery.entity.js';
import { DestinationQueuesRepository } from './queue/destination-queues.repository.js';
import { SenderWakeUp } from './queue/sender-wake-up.js';

const PROVIDERS = [DeliveriesRepository, DestinationQueuesRepository, SenderWakeUp];

/** Deliveries, the queues of their destinations, and the signal that some are due. */
@Module({ imports: [TypeOrmModule.forFeature([Delivery])], providers: PROVIDERS, exports: PROVIDERS })
export class DeliveryQueueModule {}
