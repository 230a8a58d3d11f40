import { Injectable } from '@nestjs/common';

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
}

/** Where the owners of queries register those for which sources are read. */
@Injectable()
export class Listeners {
  private readonly owners: ListenerOwner[] = [];

  /** Call it once per owner, at startup. */
  register(owner: ListenerOwner): void {
    this.owners.push(owner);
  }

  /** A text that changes with the listeners. */
  async version(): Promise<string> {
    return (await Promise.all(this.owners.map(({ version }) => version()))).join(' ');
  }

  /** The listeners of all workspaces, suspended ones too. */
  async list(): Promise<Listener[]> {
    return (await Promise.all(this.owners.map(({ list }) => list()))).flat();
  }
}
