import { TARGET_TYPES, type Target } from '../platform.js';
import type { ParsedTarget, PlatformDefinition, TargetForm } from '../platform-definition.js';

const NAME = /^[a-z][a-z0-9_]{1,31}$/;
const ID_PREFIX = /^[a-z][a-z0-9]{0,15}_$/;
const FUNCTIONS = ['parseTarget', 'isCaseSensitive', 'budget', 'resolve', 'create'] as const;

/** Why a value is no definition of a platform, as a phrase that names the field; null when it is one. */
export function problemOfDefinition(value: unknown): string | null {
  if (typeof value !== 'object' || value === null)
    return 'its default export must be a definition, or a function that returns one';
  const definition = value as Partial<PlatformDefinition>;
  const { source, name, prefix, targets, ids, origin, hasSites, lacks, remedies } = definition;
  if (typeof source !== 'string' || !NAME.test(source))
    return '`source` must be 2 to 32 lower-case letters, digits and "_", beginning with a letter';
  if (typeof name !== 'string' || name === '') return '`name` must be a text for people';
  if (typeof prefix !== 'string' || !/^[a-z]{2,32}$/.test(prefix))
    return '`prefix` must be 2 to 32 lower-case letters';
  const missing = FUNCTIONS.find((field) => typeof definition[field] !== 'function');
  if (missing !== undefined) return `\`${missing}\` must be a function`;
  if (!ID_PREFIX.test(ids?.post ?? '') || !ID_PREFIX.test(ids?.comment ?? ''))
    return '`ids.post` and `ids.comment` must be lower-case letters and digits with a "_" at the end';
  if (typeof origin !== 'string' || !/^https?:\/\//.test(origin)) return '`origin` must begin with https://';
  if (typeof hasSites !== 'boolean') return '`hasSites` must be true or false';
  if (!Array.isArray(lacks) || !lacks.every((one) => typeof one === 'string'))
    return '`lacks` must be a list of phrases, which may be empty';
  if (typeof remedies !== 'object' || remedies === null)
    return '`remedies` must be an object, which may be empty';
  if (!Array.isArray(targets) || targets.length === 0) return '`targets` must have at least one form';
  for (const form of targets as TargetForm[]) {
    const problem = problemOfForm(form, definition as PlatformDefinition);
    if (problem !== null) return problem;
  }
  return null;
}

function problemOfForm(form: TargetForm, { prefix, parseTarget }: PlatformDefinition): string | null {
  const { example, targetType: type } = form;
  const texts = [form.form, example, form.description];
  if (!texts.every((text) => typeof text === 'string' && text !== '') || !TARGET_TYPES.includes(type))
    return 'each of `targets` needs `form`, `example`, `description` and a `targetType` of forum or user';
  if (!example.startsWith(`${prefix}:`)) return `the example ${example} must begin with "${prefix}:"`;
  let parsed: ParsedTarget;
  let again: ParsedTarget;
  try {
    const target: Target = { type, name: example.slice(`${prefix}:`.length) };
    parsed = parseTarget(target);
    again = 'target' in parsed ? parseTarget(parsed.target) : parsed;
  } catch (error) {
    return `\`parseTarget\` must not throw for ${example} (${(error as Error).message})`;
  }
  if (!('target' in parsed)) return `\`parseTarget\` refuses the example ${example}`;
  return 'target' in again && again.target.name === parsed.target.name
    ? null
    : `\`parseTarget\` must leave the normal form of ${example} as it is`;
}
