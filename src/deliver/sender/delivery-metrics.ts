import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { registerBacklogGauges, registerStateGauge } from '../../infrastructure/metrics/state-gauge.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { DestinationQueuesRepository } from '../queue/destination-queues.repository.js';
import type { DeliveryDecision } from '../queue/delivery-decision.js';

/** Metrics of the outbox, deliveries and destinations. */
@Injectable()
export class DeliveryMetrics {
  private readonly recorded: Counter<'kind' | 'outcome'>;

  constructor(
    outbox: OutboxRepository,
    queues: DestinationQueuesRepository,
    inactive: InactiveWorkspaces,
    { registry }: MetricsRegistry,
  ) {
    this.recorded = new Counter({
      name: 'wss_deliveries_total',
      help: 'Recorded attempts by kind of destination and by outcome: delivered, retried or undeliverable',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    registerBacklogGauges(
      registry,
      {
        count: { name: 'wss_outbox_pending', help: 'Events that have not been relayed yet' },
        oldest: {
          name: 'wss_outbox_lag_seconds',
          help: 'Age of the oldest event that has not been relayed yet',
        },
      },
      () => outbox.backlog(),
    );
    registerBacklogGauges(
      registry,
      {
        count: { name: 'wss_deliveries_pending', help: 'Pending deliveries of active workspaces' },
        oldest: { name: 'wss_deliveries_oldest_pending_seconds', help: 'Age of the oldest pending delivery' },
      },
      () => queues.backlog(inactive.ids),
    );
    registerStateGauge(
      registry,
      { name: 'wss_destinations_circuit_open', help: 'Destinations whose circuit is open' },
      () => queues.countOpenCircuits(),
    );
  }

  /** Counts a recorded decision. */
  record({ destination: { kind }, status }: DeliveryDecision): void {
    this.recorded.inc({ kind, outcome: status === 'pending' ? 'retried' : status });
  }
}
