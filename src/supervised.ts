import { once } from 'node:events';
import { serviceOrder, type ServiceAnswer } from './launcher/service-orders.js';

/**
 * One process of the service under the launcher. It loads its code at once, while Postgres is still starting, and
 * serves when the launcher has sent the variables.
 */
const received = once(process, 'message');
const [{ serve }, { WorkspacesService }, [first]] = await Promise.all([
  import('./serve.js'),
  import('./modules/workspaces/workspaces.service.js'),
  received as Promise<unknown[]>,
]);
const start = serviceOrder.parse(first);
if (start.do !== 'serve') throw new Error(`The first order was "${start.do}"`);
Object.assign(process.env, start.variables);
const app = await serve(process.env);

process.on('message', (message) => {
  const order = serviceOrder.parse(message);
  if (order.do === 'create workspace')
    void app
      .get(WorkspacesService, { strict: false })
      .create(order.name)
      .then((workspace) => answer({ workspace }));
});
answer({ listening: await app.getUrl() });

function answer(message: ServiceAnswer): void {
  process.send?.(message);
}
