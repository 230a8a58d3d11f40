import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { SOURCES } from '../../platforms/registry.js';

/** The forum as stored posts have it, from any spelling of it (`r/technology`, an address); other text unchanged. */
export function storedForum(text: string): string {
  const found = SOURCES.forumOf(text);
  return 'name' in found && found.name !== '' ? found.name : text;
}

const normal = (value: unknown): unknown => (typeof value === 'string' ? storedForum(value) : value);

function refusalOf(value: unknown): string | null {
  const found = typeof value === 'string' ? SOURCES.forumOf(value) : { name: '' };
  return 'refusal' in found ? found.refusal : null;
}

/** A field with a list of names of forums in any spelling. Other texts are refused. */
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
