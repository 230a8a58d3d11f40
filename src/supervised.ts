import { once } from 'node:events';
import { type CreatedWorkspace, serviceOrder, type ServiceAnswer } from './launcher/service-orders.js';

/**
 * One process of the service under the launcher. It loads its code at once, while Postgres is still starting, and
 * serves when the launcher has sent the variables.
 */
const received = once(process, 'message');
/** The oldest workspace is one of these; with more workspaces, people sign in with a key. */
const WORKSPACES_READ = 100;
const [
  { serve },
  { WorkspacesService },
  { ApiKeysService },
  { SessionsService },
  { AuditService },
  { audited },
  [first],
] = await Promise.all([
  import('./serve.js'),
  import('./access/workspaces/workspaces.service.js'),
  import('./access/api-keys/api-keys.service.js'),
  import('./access/sessions/sessions.service.js'),
  import('./access/audit/audit.service.js'),
  import('./cli/audited.js'),
  received as Promise<unknown[]>,
]);
const start = serviceOrder.parse(first);
if (start.do !== 'serve') throw new Error(`The first order was "${start.do}"`);
Object.assign(process.env, start.variables);
const app = await serve(process.env);

process.on('message', (message) => {
  const order = serviceOrder.parse(message);
  if (order.do === 'create workspace')
    void createWorkspace(order.name).then((workspace) => answer({ workspace }));
  else if (order.do === 'create sign-in link')
    void createSignInLink().then((signInPath) => answer({ signInPath }));
});
answer({ listening: await app.getUrl() });

/** Creates the first workspace, for the user who ran `npm start`. */
function createWorkspace(name: string): Promise<CreatedWorkspace> {
  return audited(
    app.get(AuditService, { strict: false }),
    { action: 'workspace create', fields: ['name'] },
    () => app.get(WorkspacesService, { strict: false }).create(name),
    (created) => ({ targetWorkspaceId: created.workspaceId }),
  );
}

/** The path of a link that signs in with the oldest admin key of the oldest workspace, for the user of `npm start`. */
async function createSignInLink(): Promise<string | null> {
  const { workspaces } = await app
    .get(WorkspacesService, { strict: false })
    .list({ q: undefined, limit: WORKSPACES_READ, cursor: undefined });
  const workspaceId = workspaces.findLast(({ status }) => status === 'active')?.id;
  if (workspaceId === undefined) return null;
  const keys = await app.get(ApiKeysService, { strict: false }).list(workspaceId);
  const key = keys.find(({ isActive, scopes }) => isActive && scopes.includes('admin'));
  if (key === undefined) return null;
  const { token } = await audited(
    app.get(AuditService, { strict: false }),
    { action: 'sign-in link', targetWorkspaceId: workspaceId, resource: { key_id: key.id } },
    () =>
      app
        .get(SessionsService, { strict: false })
        .createLink({ workspaceId, keyId: key.id, expiresAt: key.expiresAt, session: null }),
  );
  return `/sign-in#${token}`;
}

function answer(message: ServiceAnswer): void {
  process.send?.(message);
}
