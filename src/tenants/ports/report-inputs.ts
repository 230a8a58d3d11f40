import { Injectable } from '@nestjs/common';

/** A saved search as reports count it. */
export interface ReportedSearch {
  id: string;
  name: string;
  of: 'posts' | 'comments';
  /** As `filters` and `q` of the search. */
  filters: Record<string, unknown>;
}

/** What was not read in a period, and why, in a sentence. */
export interface Unread {
  source: string;
  reason: string;
}

type FindSearches = (workspaceId: string, ids: readonly string[]) => Promise<ReportedSearch[]>;
type FindUnread = (workspaceId: string, from: Date, to: Date) => Promise<Unread[]>;

/** Where the owners of saved searches and of scrape jobs register what reports need of them. */
@Injectable()
export class ReportInputs {
  private findSearches: FindSearches | undefined;
  private findUnread: FindUnread | undefined;

  /** Call it once, at startup. */
  registerSearches(find: FindSearches): void {
    this.findSearches = find;
  }

  /** Call it once, at startup. */
  registerUnread(find: FindUnread): void {
    this.findUnread = find;
  }

  /** The existing searches among these ids, in no particular order. */
  searches(workspaceId: string, ids: readonly string[]): Promise<ReportedSearch[]> {
    return registered(this.findSearches, 'saved searches')(workspaceId, ids);
  }

  /** What was not read between two times. */
  unread(workspaceId: string, from: Date, to: Date): Promise<Unread[]> {
    return registered(this.findUnread, 'jobs')(workspaceId, from, to);
  }
}

function registered<Find>(find: Find | undefined, owner: string): Find {
  if (find === undefined) throw new Error(`reports know no owner of ${owner}`);
  return find;
}
