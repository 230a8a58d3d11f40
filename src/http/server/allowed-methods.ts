import type { Application, NextFunction, Request, Response } from 'express';

/** The part of an Express router layer used here; Express exports no type for it. */
interface Layer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** Methods that have a handler for the path, for an `Allow` header; empty when no route matches. */
export function allowedMethods(app: Application, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of app.router.stack as unknown as Layer[])
    if (layer.route && matches(layer, path))
      for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].sort();
}

/** Middleware that answers OPTIONS requests for known paths with 204 and `Allow`. */
export function answerOptions(app: Application) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const methods = request.method === 'OPTIONS' ? allowedMethods(app, request.path) : [];
    if (methods.length === 0) next();
    else response.status(204).set('Allow', methods.join(', ')).end();
  };
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path that cannot be decoded matches no route.
    return false;
  }
}
