import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString, ValidateIf } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { Length } from '../../../http/parameters/text-length.js';

/** Maximum number of alerts in one request. */
const MAX_ALERTS = 100;

/** Settings of a person, with bare ids. */
export interface NotificationSettings {
  email: string;
  pendingEmail: string | null;
  alertIds: readonly string[];
}

export class NotificationSettingsDto {
  /** Where the person is notified: the address of the account, or another one that was confirmed. */
  email: string;
  /** An address that replaces it once the link in the e-mail sent there is followed; null if there is none. */
  pending_email: string | null;
  /** The alerts of which the person is notified. */
  alert_ids: string[];

  static from({ email, pendingEmail, alertIds }: NotificationSettings): NotificationSettingsDto {
    return {
      email,
      pending_email: pendingEmail,
      alert_ids: alertIds.map((id) => publicId('alert', id)),
    };
  }
}

const AlertIds = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      required: false,
      maxItems: MAX_ALERTS,
      items: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_ALERTS),
    IsString({ each: true }),
    Length(1, 255, { each: true }),
  );

export class UpdateNotificationSettingsDto {
  /** A link that confirms the address is sent there; it works once, within a day. `null` means the address of the account. */
  @ApiProperty({ type: String, nullable: true, required: false, minLength: 3, maxLength: 255 })
  @ValidateIf((_dto, value) => value !== null && value !== undefined)
  @IsString()
  @Length(3, 255)
  email?: string | null;

  /** Alerts of which the person wants to be notified. */
  @AlertIds()
  add_alert_ids?: string[] = [];

  /** Alerts of which the person does not want to be notified any more. */
  @AlertIds()
  remove_alert_ids?: string[] = [];
}

export class LinkTokenDto {
  /** From the link in an e-mail. */
  @IsString()
  @Length(1, 1_000)
  token: string;
}
