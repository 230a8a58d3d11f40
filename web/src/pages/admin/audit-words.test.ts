import { expect, it } from 'vitest';
import contract from '../../../../docs/openapi.json';
import { adminTexts } from '../../texts/admin.ts';

/** Operations that no audit log has although they are no GET: they change nothing. */
const READING = new Set(['previewAlert', 'previewReport', 'resolveTarget', 'suggestQueries']);

const operations = Object.values(contract.paths).flatMap((methods) =>
  Object.entries(methods as Record<string, { operationId?: string }>).flatMap(([method, { operationId }]) =>
    operationId === undefined ? [] : [{ method, operationId }],
  ),
);

it('the audit log has words for every operation that changes something, and for no unknown one', () => {
  const { actions } = adminTexts.audit;
  const changing = operations.filter(
    ({ method, operationId }) => method !== 'get' && !READING.has(operationId),
  );
  expect(changing.length).toBeGreaterThan(50);
  expect(changing.map(({ operationId }) => operationId).filter((id) => !(id in actions))).toEqual([]);
  const known = new Set(operations.map(({ operationId }) => operationId));
  // Commands have names with spaces, except the import; access of assistants has a protocol of its own.
  const others = Object.keys(actions).filter((name) => !known.has(name) && !name.includes(' '));
  expect(others.sort()).toEqual(['authenticate', 'grantAssistant', 'import']);
});
