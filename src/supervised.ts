import { once } from 'node:events';
import { type CreatedWorkspace, serviceOrder, type ServiceAnswer } from './launcher/service-orders.js';

/**
 * One process of the service under the launcher. It loads its code at once, while Postgres is still starting, and
 * serves when the launcher has sent the variables.
 */
const received = once(process, 'message');
const [{ serve }, { WorkspacesService }, { AuditService }, { audited }, [first]] = await Promise.all([
  import('./serve.js'),
  import('./access/workspaces/workspaces.service.js'),
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

function answer(message: ServiceAnswer): void {
  process.send?.(message);
}
