import type { OpenAPIObject } from '@nestjs/swagger';

/** An OpenAPI operation with its extensions. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & Record<`x-${string}`, unknown>;

/** HTTP methods that this service's operations use. */
export const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** All operations of the document with their paths and methods. */
export function operationsOf(
  document: OpenAPIObject,
): { path: string; method: (typeof METHODS)[number]; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}
