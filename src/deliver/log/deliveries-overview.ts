import { Injectable } from '@nestjs/common';
import { publicId } from '../../common/ids.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { DestinationQueuesRepository } from '../queue/destination-queues.repository.js';
import { DestinationNames } from './destination-names.service.js';
import type { OpenCircuitDto, OutboxOverviewDto } from './dto/deliveries-overview.dto.js';
import { Overview } from '../../tenants/ports/overview.js';

const MAX_DESTINATIONS = 100;

/** The outbox and destinations with open circuits for the operator's overview. */
@Injectable()
export class DeliveriesOverview {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly destinations: DestinationQueuesRepository,
    private readonly names: DestinationNames,
    overview: Overview,
  ) {
    overview.registerQueue('deliveries', destinations.backlog.bind(destinations));
    overview.register({
      outbox: () => this.readOutbox(),
      destinations: () => this.listOpenCircuits(),
      destinations_circuit_open: () => destinations.countOpenCircuits(),
    });
  }

  private async readOutbox(): Promise<OutboxOverviewDto> {
    const { count, oldestSeconds } = await this.outbox.backlog();
    return { pending: count, lag_seconds: oldestSeconds, set_aside: await this.outbox.countSetAside() };
  }

  private async listOpenCircuits(): Promise<OpenCircuitDto[]> {
    const circuits = await this.destinations.openCircuits(MAX_DESTINATIONS);
    const named: OpenCircuitDto[] = [];
    for (const { workspaceId, kind, id, failures, dueAt } of circuits)
      named.push({
        id: publicId(kind, id),
        name: await this.names.of({ workspaceId, kind, id }),
        workspace_id: publicId('workspace', workspaceId),
        kind,
        failures,
        next_attempt_at: dueAt,
      });
    return named;
  }
}
