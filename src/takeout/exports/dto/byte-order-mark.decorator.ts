import { ValidateBy } from 'class-validator';
import { EXPORT_FORMATS } from '../formats/export-formats.js';

/** Refuses true unless the object's `format`, by default csv, is one whose files may begin with a byte order mark. */
export function IsForCsv(): PropertyDecorator {
  return ValidateBy({
    name: 'isForFormat',
    validator: {
      validate: (bom, context) => bom !== true || takesByteOrderMark(context?.object as { format?: string }),
      defaultMessage: () => 'bom is only for format=csv',
    },
  });
}

function takesByteOrderMark({ format = 'csv' }: { format?: string }): boolean {
  return EXPORT_FORMATS.all.some((one) => one.name === format && one.takesByteOrderMark);
}
