import { z } from 'zod';

/** A message from the launcher to a process of the service over its channel. */
export const serviceOrder = z.discriminatedUnion('do', [
  z.object({ do: z.literal('serve'), variables: z.record(z.string(), z.string()) }),
  z.object({ do: z.literal('create workspace'), name: z.string() }),
  z.object({ do: z.literal('create sign-in link') }),
]);
export type ServiceOrder = z.infer<typeof serviceOrder>;

/** A created workspace and its first key, which has every scope. */
export const createdWorkspace = z.object({ workspaceId: z.string(), apiKey: z.string() });
export type CreatedWorkspace = z.infer<typeof createdWorkspace>;

/** The process serves at this address. */
export const listeningAnswer = z.object({ listening: z.string() });
/** The answer to `create workspace`. */
export const workspaceAnswer = z.object({ workspace: createdWorkspace });
/** The answer to `create sign-in link`: its path; null when no workspace has a key for it. */
export const signInAnswer = z.object({ signInPath: z.string().nullable() });
export type ServiceAnswer =
  z.infer<typeof listeningAnswer> | z.infer<typeof workspaceAnswer> | z.infer<typeof signInAnswer>;
