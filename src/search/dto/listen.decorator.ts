import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsOptional, ValidateBy } from 'class-validator';
import { listenable, parseListened } from '../../platforms/listening.js';
import { SOURCES } from '../../platforms/registry.js';

const MAX_LISTENED = 20;
const MAX_LENGTH = 500;

const normal = (value: unknown): unknown => {
  const found = typeof value === 'string' ? parseListened(SOURCES, value) : null;
  return found !== null && 'name' in found ? found.name : value;
};

function refusalOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_LENGTH)
    return `must be a text of at most ${MAX_LENGTH} characters`;
  const found = parseListened(SOURCES, value);
  return 'refusal' in found ? found.refusal : null;
}

/** A field with the sources that the service reads for a query. Sources that it cannot read are refused. */
export const ListenTo = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      isArray: true,
      maxItems: MAX_LISTENED,
      required: false,
      description: `Sources that the service itself reads for this query, without a job or schedule: ${listenable(
        SOURCES,
      )
        .map(({ form }) => `\`${form}\``)
        .join(', ')}. Only texts that match are stored.`,
    }),
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(normal) : value)),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_LISTENED),
    ArrayUnique(),
    ValidateBy({
      name: 'areListened',
      validator: {
        validate: (value) => !Array.isArray(value) || value.every((one) => refusalOf(one) === null),
        defaultMessage: (context) => {
          const refusals = (context?.value as unknown[]).map(refusalOf);
          const at = refusals.findIndex((one) => one !== null);
          return `$property.${at}: ${refusals[at]}`;
        },
      },
    }),
  );
