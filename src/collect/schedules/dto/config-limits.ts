import { ValidateBy } from 'class-validator';
import { isTimeZone } from '../../../common/time-zone.js';

const MAX_BYTES = 16_384;

/** The sentence that refuses a config of more than 16 KB; null when it is accepted. */
export function configProblem(config: Record<string, unknown>): string | null {
  return Buffer.byteLength(JSON.stringify(config)) > MAX_BYTES
    ? `config must be at most ${MAX_BYTES} bytes of JSON`
    : null;
}

/** A field with a name of the IANA time zone database. */
export const IsIanaTimeZone = (): PropertyDecorator =>
  ValidateBy({
    name: 'isIanaTimeZone',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => 'timezone must be an IANA time zone name such as Europe/Berlin',
    },
  });
