import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { SOURCES } from '../../../platforms/registry.js';

/** The forum as stored posts have it; a text that names none unchanged. */
function normal(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const found = SOURCES.forumOf(value);
  return 'name' in found && found.name !== '' ? found.name : value;
}

function refusalOf(value: unknown): string | null {
  const found = typeof value === 'string' ? SOURCES.forumOf(value) : { name: '' };
  return 'refusal' in found ? found.refusal : null;
}

/** A field with the name of a forum: any spelling of it (`r/technology`, an address) is brought into the stored form. */
export const ForumName = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => normal(value));

/** A field with a list of names of forums in any spelling. What names no forum is refused. */
export const ForumNames = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(normal) : value)),
    ValidateBy({
      name: 'areForums',
      validator: {
        validate: (value) => !Array.isArray(value) || value.every((one) => refusalOf(one) === null),
        defaultMessage: (context) =>
          `$property: ${(context?.value as unknown[]).map(refusalOf).find((one) => one !== null)}`,
      },
    }),
  );
