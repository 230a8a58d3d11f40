import { METHODS } from 'node:http';
import type { Application, NextFunction, Request, Response } from 'express';

/** The part of a router's layer that is asked here; Express exports no type for it. */
interface Layer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Methods that the application answers at a path, in the form of an `Allow` header; none when it knows no such path. */
export function allowedMethods(app: Application, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of app.router.stack as unknown as Layer[])
    if (layer.route && isHandler(layer.route) && matches(layer, path))
      for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].sort();
}

/** Answers OPTIONS at known paths. A browser's preflight, which names a method, is left to CORS. */
export function answerOptions(app: Application) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const methods = request.method === 'OPTIONS' ? allowedMethods(app, request.path) : [];
    if (methods.length === 0) next();
    else response.status(204).set('Allow', methods.join(', ')).end();
  };
}

/** Nest registers middleware as routes too, for every method there is. */
function isHandler(route: { methods: Record<string, boolean> }): boolean {
  return Object.keys(route.methods).length < METHODS.length / 2;
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path that cannot be decoded is at no address.
    return false;
  }
}
