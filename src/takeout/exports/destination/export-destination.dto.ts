import { IsString } from 'class-validator';
import { Length, MaxLength } from '../../../http/parameters/text-length.js';
import { MAX_URL_LENGTH } from '../../../infrastructure/outbound-http/url-guard.js';
import { MAX_SECRET_LENGTH } from '../../../infrastructure/signing/signing.js';

/** A folder of a bucket to which the files are copied. */
export class ExportDestinationDto {
  /** `s3://ACCESS_KEY_ID@HOST/BUCKET/FOLDER?region=REGION`. Its IP address must be public or in a range that the operator allows. */
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
  url: string;

  /** The secret access key of the bucket. Never shown again. */
  @IsString()
  @Length(1, MAX_SECRET_LENGTH)
  secret: string;
}

/** A destination without its keys. */
export class ShownDestinationDto {
  url: string;
}
