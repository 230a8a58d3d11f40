import type { NextFunction, Request, Response } from 'express';
import { abbreviate, type FieldError, MAX_FIELD_ERRORS, Problem } from '../problems/problem.js';
import { isRepeatable } from './repeated-parameters.js';

/** Maximum nesting depth of a body. */
export const MAX_DEPTH = 32;
/** Maximum number of values, at any depth, in a body. Bounds the cost of every later check. */
export const MAX_VALUES = 10_000;
/** With the `u` flag a valid surrogate pair is one character of another category, so only lone surrogates match. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
/** Property names with a special meaning in JavaScript objects; no field of this service uses them. */
const RESERVED_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Why Postgres cannot store the text, as a predicate; null when it can. */
export function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return UNPAIRED_SURROGATE.test(text) ? 'must not contain unpaired surrogates' : null;
}

/**
 * Middleware that rejects queries no operation can use: duplicate parameters, text that is not URL-encoded UTF-8 or
 * that Postgres cannot store, reserved names. Node.js limits the size of the URL.
 */
export function refuseUnusableQuery(request: Request, _response: Response, next: NextFunction): void {
  const errors = queryErrors(request.originalUrl, request.query);
  next(errors.length > 0 ? Problem.validation(errors) : undefined);
}

function queryErrors(url: string, query: Record<string, unknown>): FieldError[] {
  const mark = url.indexOf('?');
  if (mark === -1) return [];
  const errors: FieldError[] = [];
  for (const part of url.slice(mark + 1).split('&'))
    if (!isUrlEncoded(part))
      errors.push({ field: abbreviate(part.split('=')[0]!), message: 'is not URL-encoded UTF-8 text' });
  for (const [name, value] of Object.entries(query)) {
    // The transformation before validation drops names that every object has, such as `toString`.
    const problem =
      RESERVED_NAMES.has(name) || name in Object.prototype
        ? 'is not an allowed name'
        : (unstorable(name) ?? valueProblem(name, value));
    if (problem !== null) errors.push({ field: abbreviate(name), message: `${abbreviate(name)} ${problem}` });
  }
  return errors;
}

function valueProblem(name: string, value: unknown): string | null {
  if (Array.isArray(value) && !isRepeatable(name)) return 'must not be given more than once';
  return [value].flat().reduce<string | null>((found, one) => found ?? unstorable(String(one)), null);
}

function isUrlEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Reported for a body with more than {@link MAX_VALUES} values. */
export const TOO_MANY_VALUES: FieldError = {
  field: 'body',
  message: `body must not contain more than ${MAX_VALUES} values`,
};

const [QUOTE, COMMA, BACKSLASH] = Buffer.from('",\\');

/**
 * Whether a JSON text in UTF-8 has more than {@link MAX_VALUES} values by the number of its commas, which takes a small
 * part of the time of parsing it. False also when only {@link bodyErrors} can tell.
 */
export function hasTooManyCommas(json: Buffer): boolean {
  let commas = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText && byte === BACKSLASH) at += 1;
    else if (!isInText && byte === COMMA) {
      commas += 1;
      // A list of n values has n - 1 commas, and counts as a value itself.
      if (commas === MAX_VALUES - 1) return true;
    }
  }
  return false;
}

/** A value of the body and its path. */
interface Node {
  value: unknown;
  depth: number;
  name: string;
  parent: Node | null;
}

/**
 * Returns at most {@link MAX_FIELD_ERRORS} reasons why no operation can use a body: text that Postgres cannot store,
 * reserved names, more than {@link MAX_DEPTH} levels or {@link MAX_VALUES} values. Visits each value once and builds
 * paths only for errors.
 */
export function bodyErrors(body: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, why: string) =>
    errors.push({ field: path || 'body', message: `${path || 'body'} ${why}` });
  // An explicit stack, because a body may nest deeper than the call stack allows.
  const open: Node[] = [{ value: body, depth: 0, name: '', parent: null }];
  let values = 1;
  for (let node = open.pop(); node !== undefined && errors.length < MAX_FIELD_ERRORS; node = open.pop()) {
    const { value, depth } = node;
    if (typeof value === 'string') {
      const problem = unstorable(value);
      if (problem !== null) refuse(pathOf(node), problem);
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) {
        refuse(fieldOf(node), `must not nest deeper than ${MAX_DEPTH} levels`);
        continue;
      }
      const names = Object.keys(value);
      values += names.length;
      if (values > MAX_VALUES) return [TOO_MANY_VALUES];
      for (const name of names) {
        const child = {
          value: (value as Record<string, unknown>)[name],
          depth: depth + 1,
          name,
          parent: node,
        };
        const problem = RESERVED_NAMES.has(name) ? 'is not an allowed name' : unstorable(name);
        if (problem === null) open.push(child);
        else if (errors.length < MAX_FIELD_ERRORS) refuse(pathOf(child), problem);
      }
    }
  }
  return errors;
}

function pathOf(node: Node): string {
  const names: string[] = [];
  for (let at: Node | null = node; at !== null && at.parent !== null; at = at.parent)
    names.unshift(abbreviate(at.name));
  return names.join('.');
}

/** The path of the value within the body. */
function fieldOf(node: Node): string {
  let at = node;
  while (at.parent?.parent) at = at.parent;
  return abbreviate(at.name);
}
