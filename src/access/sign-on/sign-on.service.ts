import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import { MembersRepository, type Person } from '../api-keys/members.repository.js';
import { type Browser, SessionsService } from '../sessions/sessions.service.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { SignOnError, type SignOnFailure } from './identity-provider.js';

/** Signs people in to the workspaces of which they are members. */
@Injectable()
export class SignOnService {
  constructor(
    private readonly members: MembersRepository,
    private readonly sessions: SessionsService,
    private readonly inactive: InactiveWorkspaces,
  ) {}

  /**
   * Starts a session in the workspace that the person used last; returns the membership and the cookie value. Throws
   * {@link SignOnError} for a person who may sign in to none.
   */
  async begin(person: Person, browser: Browser): Promise<{ membership: ApiKey; cookie: string }> {
    const memberships = await this.members.ofPerson(person);
    const membership = memberships.find((one) => this.isActive(one));
    if (membership === undefined) throw new SignOnError(await this.refusalOf(person, memberships));
    await this.members.bind(membership.workspaceId, membership.id, person.subject);
    return { membership, cookie: await this.sessions.begin({ key: membership, endsAt: null }, browser) };
  }

  /** The memberships of the person of a session; that of its key for a session that a key began. Throws 401. */
  async ofSession(cookie: string): Promise<{ current: ApiKey; memberships: ApiKey[] }> {
    const { key } = await this.sessions.authenticate(cookie);
    const person = personOf(key);
    return { current: key, memberships: person === null ? [key] : await this.memberships(person) };
  }

  /**
   * The membership in a workspace of the person of a session, connected with their account; the key of a session that a
   * key began. Throws 401 without a session, 404 for a workspace of which the person is no member.
   */
  async membershipIn(workspaceId: string | null, cookie: string): Promise<ApiKey> {
    const { current, memberships } = await this.ofSession(cookie);
    const membership = memberships.find((one) => one.workspaceId === workspaceId);
    if (membership === undefined) throw Problem.noWorkspace();
    const person = personOf(current);
    if (person !== null) await this.members.bind(membership.workspaceId, membership.id, person.subject);
    return membership;
  }

  /**
   * Moves a person's session to another workspace; returns the cookie value of the new session, which ends no later.
   * Throws 401 without a session, 404 for a workspace of which the person is no member.
   */
  async moveTo(workspaceId: string, cookie: string, browser: Browser): Promise<string> {
    const { key, session } = await this.sessions.authenticate(cookie);
    const person = personOf(key);
    const memberships = person === null ? [] : await this.memberships(person);
    const wanted = memberships.find((one) => one.workspaceId === workspaceId);
    if (person === null || wanted === undefined) throw Problem.noWorkspace();
    await this.members.bind(workspaceId, wanted.id, person.subject);
    const value = await this.sessions.begin({ key: wanted, endsAt: session.expiresAt }, browser);
    await this.sessions.end(key.workspaceId, cookie);
    return value;
  }

  private async memberships(person: Person): Promise<ApiKey[]> {
    return (await this.members.ofPerson(person)).filter((one) => this.isActive(one));
  }

  private isActive({ workspaceId }: ApiKey): boolean {
    return !this.inactive.has(workspaceId);
  }

  private async refusalOf({ email }: Person, memberships: readonly ApiKey[]): Promise<SignOnFailure> {
    if (memberships.length > 0) return 'suspended';
    return (await this.members.isBound(email)) ? 'other_account' : 'not_invited';
  }
}

/** The account of a session's credential; null for an API key. */
const personOf = ({ email, subject }: ApiKey): Person | null =>
  email === null || subject === null ? null : { email, subject };
