import type { EntityManager } from 'typeorm';
import type { FilledWorkspace } from '../support/two-workspaces.js';

/** The ids of `b`, and whatever else a call may need. */
export interface Probe {
  b: FilledWorkspace;
  tx: EntityManager;
  /** Ids of rows of `b` that requests cannot name. */
  eventId: string;
  /** An event that has not been relayed yet. */
  waitingEventId: string;
  /** A post and a comment that `a` does not have. */
  postOfB: string;
  commentOfB: string;
  idempotencyKey: { apiKeyId: string; key: string; lease: string };
  keyHash: Buffer;
  /** Rows of `b` as entities of the calling workspace. */
  entity(table: 'alert' | 'webhook' | 'schedule' | 'job' | 'apiKey'): object;
}

/** How a repository's method is tested across workspaces. */
export type RepositoryCase =
  | {
      /** Arguments that name rows of `b`, under the calling workspace. The result must be empty unless that is `b`. */
      foreign: (workspaceId: string, probe: Probe) => unknown[];
      /** Whether a result means that nothing was found, where its shape does not show it. */
      isNothing?: (result: never) => boolean;
    }
  | {
      /**
       * Arguments that name only the workspace, or rows that it may have itself. The result must contain nothing of
       * `b`.
       */
      own: (workspaceId: string, probe: Probe) => unknown[];
    }
  | {
      /** Why the method serves all workspaces. */
      crosses: string;
    };

/** Owner of the leases of the running job and of a delivery of `b`. */
export const LEASE_OWNER = '11111111-2222-4333-8444-555555555555';
/** A target and a post that only `b` has. */
export const ONLY_IN_B = 't3_only_in_b';
export const MEDIA_URL = 'https://media.example/only-in-b';
/** Hash of the cookie of a session of `b`. */
export const SESSION_OF_B = Buffer.from('a session of b');
/** Identifies a dump that only `b` has imported. */
export const FINGERPRINT_OF_B = Buffer.from('fingerprint');
/** A version of phrase frequencies that only `b` has. */
export const VERSION_OF_B = 77;
