import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsNumber, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { CHANNELS } from '../../messages/channels/channels.js';
import { MAX_KEYWORD_LENGTH } from './keyword.js';
import { MAX_KEYWORDS } from './keyword.validator.js';

/** Keywords in the contract, whose generator takes no limit of a list from a name. */
export const KEYWORDS = {
  maxItems: MAX_KEYWORDS,
  items: { type: 'string', minLength: 1, maxLength: MAX_KEYWORD_LENGTH },
};

/** The name of a channel in the contract. */
export const CHANNEL = { enum: CHANNELS.names };

/** The name of a channel, which may be left out. */
export const IsChannel = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ ...CHANNEL, required: false }), IsOptional(), IsIn(CHANNELS.names));

/** The settings of each channel in one sentence: ``email: `to` ``. */
export function settingsOfChannels(): string {
  return CHANNELS.all
    .map(({ name, fields }) => `${name}: ${fields.map(({ key }) => `\`${key}\``).join(', ')}`)
    .join('; ');
}

/** The query of an alert in the contract. */
export const QUERY = {
  type: String,
  nullable: true,
  required: false,
  description: 'In the language of `q`. With keywords, one of both is enough for a match. `null` means none.',
};

/** Whether keywords must be validated: there is no query, or there are keywords. */
export const isQueryMissing = ({
  query,
  keywords,
}: {
  query?: string | null;
  keywords?: readonly string[];
}): boolean => query == null || (keywords !== undefined && keywords !== null && keywords.length !== 0);

/** Validates a field unless it is left out or null, which has a meaning. */
export const ValidateUnlessNull = (): PropertyDecorator =>
  ValidateIf((_dto, value) => value !== null && value !== undefined);

/** The least relevance of matches that are sent; null for any. */
export const MinRelevance = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: Number,
      nullable: true,
      required: false,
      minimum: 0,
      maximum: 1,
      description: 'Matches whose relevance is below are recorded, but not sent. `null` sends all.',
    }),
    ValidateUnlessNull(),
    IsNumber(),
    Min(0),
    Max(1),
  );
