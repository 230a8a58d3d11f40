import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Problem } from '../../http/problems/problem.js';
import type { Destination } from '../queue/destination.js';
import { DestinationQueuesRepository } from '../queue/destination-queues.repository.js';
import { SenderWakeUp } from '../queue/sender-wake-up.js';

/** The result of retrying a destination. */
export interface RetriedDestination extends Destination {
  /** Number of pending deliveries that are due now. */
  due: number;
}

/** Closes circuits of destinations, for operators who know that a receiver is available again. */
@Injectable()
export class DestinationRetries {
  constructor(
    private readonly queues: DestinationQueuesRepository,
    private readonly transactions: TransactionRunner,
    private readonly wakeUp: SenderWakeUp,
  ) {}

  /**
   * Closes the circuit of a webhook or of an alert's channel, and makes its pending deliveries due now. A disabled
   * destination stays disabled. Throws 404 when nothing was sent to it in the last 30 days.
   */
  async retry(id: string): Promise<RetriedDestination> {
    const destination = await this.queues.find(id);
    if (destination === null)
      throw new Problem('not_found', 'No such destination, or nothing was sent to it in the last 30 days');
    const due = await this.transactions.run((tx) => this.queues.retry(destination, tx));
    this.wakeUp.send();
    return { ...destination, due };
  }
}
