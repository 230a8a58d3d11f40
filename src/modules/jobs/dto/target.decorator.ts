import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { TargetType } from '../../../platforms/platform.js';
import { refuseTarget } from '../../../platforms/target-names.js';

/** A `target` field beside `target_type`: refused when its source certainly does not have it. */
export const IsTarget = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTarget',
    validator: {
      validate: (_value, context) => problemOf(context) === null,
      defaultMessage: (context) => problemOf(context) ?? '',
    },
  });

function problemOf(context: ValidationArguments | undefined): string | null {
  const { target, target_type: type } = (context?.object ?? {}) as {
    target?: unknown;
    target_type?: TargetType;
  };
  return typeof target === 'string' ? refuseTarget({ type: type ?? 'forum', name: target }) : null;
}
