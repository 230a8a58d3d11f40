import { Injectable } from '@nestjs/common';
import type { Backlog } from '../../database/backlog.js';

/** Kinds of queued work, in the order in which the overview shows them. */
export const QUEUE_NAMES = ['jobs', 'exports', 'schedules', 'deliveries'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Counts the entries of active workspaces in a queue. */
type ReadBacklog = (exceptWorkspaces: readonly string[]) => Promise<Backlog>;

/** Where owners register their part of the operator's overview, so that it knows no table. */
@Injectable()
export class Overview {
  private readonly queues = new Map<QueueName, ReadBacklog>();
  private readonly parts = new Map<string, () => Promise<unknown>>();

  /** Registers parts by the names of their fields. */
  register(parts: Record<string, () => Promise<unknown>>): void {
    for (const [name, read] of Object.entries(parts)) this.parts.set(name, read);
  }

  /** Registers the backlog of a queue. */
  registerQueue(name: QueueName, read: ReadBacklog): void {
    this.queues.set(name, read);
  }

  /** Reads a part. Throws for one without owner. */
  async read(name: string): Promise<unknown> {
    return ownerOf(this.parts, name)();
  }

  /** The backlogs of all queues, without the workspaces named. */
  async backlogs(exceptWorkspaces: readonly string[]): Promise<(Backlog & { queue: QueueName })[]> {
    const backlogs: (Backlog & { queue: QueueName })[] = [];
    for (const queue of QUEUE_NAMES)
      backlogs.push({ queue, ...(await ownerOf(this.queues, queue)(exceptWorkspaces)) });
    return backlogs;
  }
}

function ownerOf<Key extends string, Value>(owners: ReadonlyMap<Key, Value>, name: Key): Value {
  const owner = owners.get(name);
  if (owner === undefined) throw new Error(`the overview has no owner of ${name}`);
  return owner;
}
