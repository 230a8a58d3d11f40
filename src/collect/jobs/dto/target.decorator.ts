import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { TARGET_TYPES, type TargetType } from '../../../platforms/platform.js';
import { SOURCES } from '../../../platforms/registry.js';

/**
 * A `target` field next to `target_type`: brought into its normal form, and refused when its source certainly does not have
 * it.
 */
export const IsTarget = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ description: `Forum name or username. ${targetForms()}. See \`GET /sources\`.` }),
    Transform(({ value, obj }: { value: unknown; obj: { target_type?: unknown } }) =>
      normal(value, obj.target_type),
    ),
    ValidateBy({
      name: 'isTarget',
      validator: {
        validate: (_value, context) => problemOf(context) === null,
        defaultMessage: (context) => problemOf(context) ?? '',
      },
    }),
  );

function problemOf(context: ValidationArguments | undefined): string | null {
  const { target, target_type: type } = (context?.object ?? {}) as {
    target?: unknown;
    target_type?: TargetType;
  };
  if (typeof target !== 'string') return null;
  const found = SOURCES.nameOf({ type: type ?? 'forum', name: target });
  return 'refusal' in found ? found.refusal : null;
}

/** The stored form of a target; any other value, and a target that is refused, unchanged. */
function normal(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value;
  const found = SOURCES.nameOf({ type: type === 'user' ? 'user' : 'forum', name: value });
  return 'name' in found && found.name !== '' ? found.name : value;
}

/** The forms of all sources in one sentence: ``Hacker News: forum `hn:new`, `hn:top`, user `hn:NAME` ``. */
function targetForms(): string {
  return SOURCES.all
    .map(({ name, targets }) => {
      const forms = TARGET_TYPES.flatMap((type) => {
        const ofType = targets.filter(({ targetType }) => targetType === type);
        return ofType.length > 0 ? `${type} ${ofType.map(({ form }) => `\`${form}\``).join(', ')}` : [];
      });
      return `${name}: ${forms.join(', ')}`;
    })
    .join('; ');
}
