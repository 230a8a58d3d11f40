import { promisify } from 'node:util';
import { json, type Request, type Response, urlencoded } from 'express';

const LIMIT = '16kb';

/** Reads the form of a request, in which names occur once. Throws the parser's errors, which become problems. */
export const readForm = promisify<Request, Response>(
  urlencoded({ extended: false, limit: LIMIT, parameterLimit: 30 }),
);

/** Reads the JSON body of a request of at most 16 KiB. */
export const readMetadata = promisify<Request, Response>(json({ limit: LIMIT }));
