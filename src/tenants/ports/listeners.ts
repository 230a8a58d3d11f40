import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { QuotasService } from '../usage/quotas.service.js';

/** A query of a workspace for which the service reads sources by itself. */
export interface Listener {
  workspaceId: string;
  id: string;
  /** Sources in their normal form: `bluesky`. */
  listen: readonly string[];
  of: 'posts' | 'comments' | 'all';
  keywords: readonly string[];
  /** In the language of `q`. */
  query: string | null;
  /** Empty for every forum. */
  forums: readonly string[];
}

/** An owner of listeners, of all workspaces. */
export interface ListenerOwner {
  /** A text that changes with the listeners; cheap to read. */
  version: () => Promise<string>;
  list: () => Promise<Listener[]>;
  /** What the listeners of a workspace listen to, those that rest too. */
  listened: (workspaceId: string, tx?: EntityManager) => Promise<Pick<Listener, 'id' | 'listen'>[]>;
}

/** Where the owners of queries register those for which sources are read. */
@Injectable()
export class Listeners {
  private readonly owners: ListenerOwner[] = [];

  constructor(private readonly quotas: QuotasService) {
    quotas.register(
      'listened_sites',
      async (workspaceId, tx) => placesOf(await this.listened(workspaceId, tx)).size,
    );
  }

  /** Call it once per owner, at startup. */
  register(owner: ListenerOwner): void {
    this.owners.push(owner);
  }

  /** Throws 403 `quota_exceeded` when a workspace would listen to too many sites and feeds with a new or changed listener. */
  async enforce(
    workspaceId: string,
    { id, listen }: Pick<Listener, 'id' | 'listen'>,
    tx: EntityManager,
  ): Promise<void> {
    const all = await this.listened(workspaceId, tx);
    const others = all.filter((listener) => listener.id !== id);
    const added = placesOf([...others, { listen }]).size - placesOf(all).size;
    if (added > 0) await this.quotas.enforce(workspaceId, 'listened_sites', added, tx);
  }

  /** A text that changes with the listeners. */
  async version(): Promise<string> {
    return (await Promise.all(this.owners.map(({ version }) => version()))).join(' ');
  }

  /** The listeners of all workspaces, suspended ones too. */
  async list(): Promise<Listener[]> {
    return (await Promise.all(this.owners.map(({ list }) => list()))).flat();
  }

  private async listened(
    workspaceId: string,
    tx?: EntityManager,
  ): Promise<Pick<Listener, 'id' | 'listen'>[]> {
    const all: Pick<Listener, 'id' | 'listen'>[] = [];
    for (const owner of this.owners) all.push(...(await owner.listened(workspaceId, tx)));
    return all;
  }
}

/** The sites and feeds among what is listened to: `SOURCE:SITE`. */
const placesOf = (listeners: readonly Pick<Listener, 'listen'>[]): Set<string> =>
  new Set(listeners.flatMap(({ listen }) => listen.filter((name) => name.includes(':'))));
