import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsOptional } from 'class-validator';
import { normalEmail } from '../../../common/email-address.js';
import { publicId } from '../../../common/ids.js';
import { Length } from '../../../http/parameters/text-length.js';
import type { ApiKey } from '../../api-keys/api-key.entity.js';
import { type Role, ROLES, roleOf } from '../member-roles.js';

export class CreateMemberDto {
  /** Address of the person's account at the identity provider. Only the case of A to Z makes no difference. */
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? normalEmail(value.trim()) : value,
  )
  @IsEmail()
  @Length(3, 255)
  email: string;

  /** The person's rights: `reader`, `editor` and `owner` have the scopes `read`, `write` and `admin`. */
  @IsIn(ROLES)
  role: Role;
}

const MEMBER_VIEWS = ['list', 'full'] as const;

export class ViewMemberDto {
  /** `full` adds `invitation_refusal` to the record. */
  @IsOptional()
  @IsIn(MEMBER_VIEWS)
  view?: (typeof MEMBER_VIEWS)[number] = 'list';
}

export class UpdateMemberDto {
  /** Takes effect with the person's next request. */
  @IsIn(ROLES)
  role: Role;
}

export class MemberDto {
  id: string;
  email: string;
  role: Role;
  /** With a resolution of one minute; null before the first sign-in. */
  last_seen_at: Date | null;

  static from(member: ApiKey): MemberDto {
    return {
      id: publicId('member', member.id),
      email: member.email!,
      role: roleOf(member.scopes),
      last_seen_at: member.lastUsedAt,
    };
  }
}

export class AddedMemberDto extends MemberDto {
  /** Why no invitation was sent by e-mail; null when one was. Only with `view=full`. */
  invitation_refusal?: string | null;
}
