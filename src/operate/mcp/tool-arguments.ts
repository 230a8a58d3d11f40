import { z, type ZodObject, type ZodRawShape } from 'zod';
import { editDistance } from '../../common/edit-distance.js';
import { abbreviate } from '../../http/problems/problem.js';

/** Most unknown arguments that an error names. */
const MAX_NAMED = 10;

/**
 * An object of arguments, of a tool or within one, that has no others: an error names each unknown argument, the nearest
 * known one if there is a similar one, and those that are allowed.
 */
export function argumentsOf<Shape extends ZodRawShape>(shape: Shape): ZodObject<Shape, z.core.$strict> {
  const allowed = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownArguments(issue.keys, allowed) : undefined,
  });
}

function unknownArguments(unknown: readonly string[], allowed: readonly string[]): string {
  const named = unknown.slice(0, MAX_NAMED).map((name) => {
    const nearest = nearestArgument(name, allowed);
    return `Unknown argument \`${abbreviate(name)}\`.${nearest === null ? '' : ` Did you mean \`${nearest}\`?`}`;
  });
  const rest = allowed.length === 0 ? 'No argument is allowed.' : `Allowed: ${allowed.join(', ')}.`;
  return [...named, rest].join(' ');
}

/**
 * The known argument that an unknown one probably stands for: the nearest of those that begin or contain it, are begun
 * by or contained in it, or differ in at most a third of their characters. Null when no one is as similar.
 */
export function nearestArgument(unknown: string, known: readonly string[]): string | null {
  const name = abbreviate(unknown).toLowerCase();
  const [nearest] = known
    .map((one) => ({ one, errors: editDistance(name, one) }))
    .filter(({ one, errors }) => isPartOf(one, name) || isPartOf(name, one) || errors <= one.length / 3)
    .sort((a, b) => a.errors - b.errors);
  return nearest?.one ?? null;
}

/** Single letters such as `q` are in many names, but begin few. */
const isPartOf = (part: string, name: string): boolean =>
  part !== '' && (name.startsWith(part) || (part.length > 2 && name.includes(part)));
