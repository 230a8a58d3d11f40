import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsNumber, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { CHANNELS } from '../../messages/channels/channels.js';
import { Length } from '../../http/parameters/text-length.js';
import { MAX_KEYWORD_LENGTH } from './keyword.js';
import { MAX_KEYWORDS } from './keyword.validator.js';

const MAX_QUESTION_LENGTH = 500;

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

/** What matches are read a second time for; null for nothing. */
export const Question = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: String,
      nullable: true,
      required: false,
      minLength: 1,
      maxLength: MAX_QUESTION_LENGTH,
      description:
        'In plain words, which matches are relevant. Where the relevance is uncertain, the language model of the operator, if there is one, reads the match with it before it is sent. `null` means none.',
    }),
    ValidateUnlessNull(),
    IsString(),
    Length(1, MAX_QUESTION_LENGTH),
  );

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
