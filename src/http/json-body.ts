import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Problem } from './problem.js';

const BODY_LIMIT = '256kb';
const JSON_TYPE = 'application/json';

/** Refuses a body in any other form than JSON with 415. A request without a body has none to refuse. */
export function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  next(
    hasBody && !request.is(JSON_TYPE)
      ? new Problem('unsupported_media_type', `The body must be JSON, with Content-Type: ${JSON_TYPE}`)
      : undefined,
  );
}

/** Reads the body. Any JSON value is read, so that a body that is no object can be refused as such. */
export const readJson: RequestHandler = json({ limit: BODY_LIMIT, strict: false });
