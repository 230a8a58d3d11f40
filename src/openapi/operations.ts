import type { OpenAPIObject } from '@nestjs/swagger';

export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']> & Record<`x-${string}`, unknown>;

export const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** Every operation with its place. */
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
