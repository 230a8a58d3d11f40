const PROBLEM = {
  description: 'A refusal',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } },
};

/**
 * The contract as the types of the TypeScript client need it: all refusals share one response, and examples and the
 * headers of answers are left out, because they are three quarters of what a compiler has to read.
 */
export function typedContract(document) {
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, ({ requestBody, responses, ...operation }) => ({
      ...operation,
      ...(requestBody && { requestBody: withoutExamples(requestBody) }),
      responses: mapValues(responses, (response, status) =>
        status >= '400' ? { $ref: '#/components/responses/Problem' } : withoutExamples(response),
      ),
    })),
  );
  return { ...document, paths, components: { ...document.components, responses: { Problem: PROBLEM } } };
}

const withoutExamples = ({ headers: _headers, content, ...message }) => ({
  ...message,
  ...(content && { content: mapValues(content, ({ schema }) => ({ schema })) }),
});

const mapValues = (record, map) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
