import { IsOptional, IsString } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { Length } from '../../../http/parameters/text-length.js';
import type { ApiKey } from '../../api-keys/api-key.entity.js';
import { type Role, roleOf } from '../../members/member-roles.js';

export class SignOnDto {
  /** The identity provider whose accounts sign in; null when the service has none. */
  issuer: string | null;
}

export class BeginSignOnDto {
  /** Path of the page of the dashboard to show afterwards. */
  @IsOptional()
  @IsString()
  @Length(1, 500)
  return_to?: string;
}

export class MoveSessionDto {
  /** A workspace of which the person is a member. */
  @IsString()
  @Length(1, 255)
  workspace_id: string;
}

export class MembershipDto {
  workspace_id: string;
  workspace_name: string;
  role: Role;
  /** Whether it is the workspace of the session. */
  is_current: boolean;

  static from(membership: ApiKey, workspaceName: string, current: ApiKey): MembershipDto {
    return {
      workspace_id: publicId('workspace', membership.workspaceId),
      workspace_name: workspaceName,
      role: roleOf(membership.scopes),
      is_current: membership.workspaceId === current.workspaceId,
    };
  }
}
