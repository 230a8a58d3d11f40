import type { OpenAPIObject } from '@nestjs/swagger';

/** An OpenAPI operation with its extensions. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & Record<`x-${string}`, unknown>;

/** Methods that this service's operations use. */
export const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** Every operation of the document with its path and method. */
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
