import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { TARGET_TYPES, type TargetType } from '../../../platforms/platform.js';
import { SOURCES } from '../../../platforms/registry.js';

/** A `target` field beside `target_type`: refused when its source certainly does not have it. */
export const IsTarget = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ description: `Forum name or username. ${targetForms()}. See \`GET /sources\`.` }),
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
  const parsed = SOURCES.parse({ type: type ?? 'forum', name: target });
  return 'refusal' in parsed ? parsed.refusal : null;
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
