import { mapValues, REFUSALS, withSharedRefusals } from './contract-parts.mjs';

/**
 * The contract as the types of the TypeScript client need it: all refusals share one response, and examples and the
 * headers of answers are left out, because they are three quarters of what a compiler has to read.
 */
export function typedContract(document) {
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, ({ requestBody, responses, ...operation }) => ({
      ...operation,
      ...(requestBody && { requestBody: withoutExamples(requestBody) }),
      responses: withSharedRefusals(responses, withoutExamples),
    })),
  );
  return { ...document, paths, components: { ...document.components, responses: REFUSALS } };
}

const withoutExamples = ({ headers: _headers, content, ...message }) => ({
  ...message,
  ...(content && { content: mapValues(content, ({ schema }) => ({ schema })) }),
});

const WORKSPACE = '/api/v1/workspaces/{workspace_id}';

/** The file with the routes of `client.RESOURCE.METHOD()`: the operations of a workspace that answer with JSON. */
export function clientRoutes({ paths }) {
  const resources = {};
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      if (!path.startsWith(`${WORKSPACE}/`) || !hasJson(operation)) continue;
      const own = path.slice(WORKSPACE.length);
      const resource = camelCase(own.split('/')[1]);
      const methods = (resources[resource] ??= {});
      const name = methodName(operation.operationId, resource);
      if (methods[name]) throw new Error(`${operation.operationId} and ${methods[name].id} have one name.`);
      methods[name] = routeOf(operation, method.toUpperCase(), own);
    }
  return `// Written from the contract by "npm run client:generate".

/** Where operations are. "query" names the parameters of those that also have a body. */
export const ROUTES = ${JSON.stringify(resources, null, 1)} as const;
`;
}

function routeOf({ operationId: id, parameters = [], requestBody }, method, path) {
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const isIdempotent = parameters.some(({ name }) => name === 'Idempotency-Key');
  return {
    ...{ id, method, path },
    ...(requestBody && { query }),
    ...(isIdempotent && { isIdempotent }),
  };
}

const hasJson = ({ responses }) =>
  Object.entries(responses).some(
    ([status, { content }]) => status < '300' && Object.keys(content ?? {}).join() === 'application/json',
  );

/** `create` for `createAlert` of alerts, `listMatches` for `listAlertMatches`; a plural remains, except in lists. */
function methodName(id, resource) {
  const plural = `${resource[0].toUpperCase()}${resource.slice(1)}`;
  const singular = plural
    .replace(/ies$/, 'y')
    .replace(/(ch|s)es$/, '$1')
    .replace(/s$/, '');
  if (id === `list${plural}`) return 'list';
  const rest = id.replace(new RegExp(`(?<=^[a-z]+)${singular}(?=[A-Z]|$)`), '');
  return rest;
}

const camelCase = (text) => text.replaceAll(/-(\w)/g, (_all, letter) => letter.toUpperCase());
