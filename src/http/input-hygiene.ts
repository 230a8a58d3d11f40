import type { NextFunction, Request, Response } from 'express';
import { type FieldError, Problem } from './problem.js';

const MAX_DEPTH = 32;
const LONGEST_NAME_SHOWN = 100;
/** With the `u` flag a pair is one character of another category. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
/** Names that mean something to JavaScript objects themselves; no field of this service has them. */
const RESERVED_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Refuses what no operation can work with, before any of them sees it: text that Postgres cannot store, names that
 * would change objects, nesting without end, a query parameter given twice, a query that is not URL-encoded text.
 */
export function refuseUnusableInput(request: Request, _response: Response, next: NextFunction): void {
  const errors = [...queryErrors(request.originalUrl, request.query), ...valueErrors(request.body)];
  next(errors.length > 0 ? Problem.validation(errors) : undefined);
}

/** Why Postgres cannot store the text; null when it can. */
export function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return UNPAIRED_SURROGATE.test(text) ? 'must not contain unpaired surrogates' : null;
}

function queryErrors(url: string, query: Record<string, unknown>): FieldError[] {
  const mark = url.indexOf('?');
  if (mark === -1) return [];
  const errors: FieldError[] = [];
  for (const part of url.slice(mark + 1).split('&'))
    if (!isUrlEncoded(part))
      errors.push({ field: shown(part.split('=')[0]!), message: 'is not URL-encoded UTF-8 text' });
  for (const [name, value] of Object.entries(query)) {
    const problem = RESERVED_NAMES.has(name)
      ? 'is not an allowed name'
      : (unstorable(name) ??
        (typeof value === 'string' ? unstorable(value) : 'must not be given more than once'));
    if (problem !== null) errors.push({ field: shown(name), message: `${shown(name)} ${problem}` });
  }
  return errors;
}

function isUrlEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Walks without recursion: a body may nest deeper than the stack is. */
function valueErrors(body: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const open: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    const refuse = (at: string, why: string) =>
      errors.push({ field: at || 'body', message: `${at || 'body'} ${why}` });
    if (typeof value === 'string') {
      const problem = unstorable(value);
      if (problem !== null) refuse(path, problem);
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) {
        refuse(path.split('.')[0]!, `must not nest deeper than ${MAX_DEPTH} levels`);
        continue;
      }
      for (const [name, child] of Object.entries(value)) {
        const at = path === '' ? shown(name) : `${path}.${shown(name)}`;
        const problem = RESERVED_NAMES.has(name) ? 'is not an allowed name' : unstorable(name);
        if (problem === null) open.push({ value: child, path: at, depth: depth + 1 });
        else refuse(at, problem);
      }
    }
  }
  return errors;
}

function shown(name: string): string {
  return name.length > LONGEST_NAME_SHOWN ? `${name.slice(0, LONGEST_NAME_SHOWN)}…` : name;
}
