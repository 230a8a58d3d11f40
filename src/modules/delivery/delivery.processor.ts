import { Process, Processor } from '@nestjs/bull';
import { DELIVERY_QUEUE } from '../../infrastructure/queue/queues.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';

/** The queue says that something is due; what and where to is in Postgres alone. */
@Processor(DELIVERY_QUEUE)
export class DeliveryProcessor {
  constructor(private readonly dispatcher: DeliveryDispatcher) {}

  @Process({ concurrency: 4 })
  process(): Promise<void> {
    this.dispatcher.wake();
    return Promise.resolve();
  }
}
