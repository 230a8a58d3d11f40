import { mapValues, REFUSALS, withSharedRefusals } from '../lib/contract-parts.mjs';

/** Fields of a contract that no program relies on. */
const FOR_READERS = new Set(['description', 'summary', 'example', 'examples', 'tags', 'title']);

/**
 * What programs rely on in a contract, as an OpenAPI document without the rest: texts and examples are left out, and all
 * refusals share one response.
 */
export function keptContract({ openapi, info, security, paths, webhooks, components }) {
  return {
    openapi,
    info: { title: info.title, version: info.version },
    security,
    paths: mapValues(paths, (item) => mapValues(item, keptOperation)),
    webhooks: mapValues(webhooks, (item) => mapValues(item, withoutTexts)),
    components: { ...withoutTexts(components), responses: REFUSALS },
  };
}

function keptOperation({ responses, ...operation }) {
  return {
    ...withoutTexts(operation),
    responses: withSharedRefusals(responses, (response) => ({ description: '', ...withoutTexts(response) })),
  };
}

/** Properties of a schema may have the names of texts; their values are objects. */
function withoutTexts(node) {
  if (Array.isArray(node)) return node.map(withoutTexts);
  if (typeof node !== 'object' || node === null) return node;
  const isText = (key, value) =>
    FOR_READERS.has(key) && !(value?.type ?? value?.$ref ?? value?.anyOf ?? value?.allOf);
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => (isText(key, value) ? [] : [[key, withoutTexts(value)]])),
  );
}
