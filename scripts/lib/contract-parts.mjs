/** The response that all refusals share in a contract for programs. */
export const REFUSALS = {
  Problem: {
    description: 'A refusal',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } },
  },
};

/** The responses of an operation, with the shared one for refusals; `map` makes the others. */
export const withSharedRefusals = (responses, map) =>
  mapValues(responses, (response, status) =>
    status >= '400' ? { $ref: '#/components/responses/Problem' } : map(response),
  );

export const mapValues = (record, map) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
