import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { choices } from '../../choices.ts';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { identityProviderQuery, useSession } from '../../api/session.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Button, Select, SelectField, TextField } from '../../components/controls.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useForm } from '../../components/use-form.ts';
import { SignInLink } from './sign-in-link.tsx';
import { settingsTexts } from '../../texts/settings.ts';

const words = settingsTexts.members;
type Member = Schemas['MemberDto'];
/** The page on which a person signs in with an account, and then arrives in the workspace. */
const invitationLink = (): string => `${location.origin}/api/v1/session/oidc/begin?return_to=%2F`;

const ROLES = choices(KINDS.lists.roles, words.roles);

/** The members of the workspace, and what changes them. */
function useMembers() {
  const client = useQueryClient();
  const path = { workspace_id: useSession().workspace_id };
  const queryKey = keys.members(path.workspace_id);
  const renew = () => client.invalidateQueries({ queryKey });
  const members = useQuery({
    queryKey,
    queryFn: () => dataOf(api.GET('/api/v1/workspaces/{workspace_id}/members', { params: { path } })),
  });
  const change = useMutation({
    mutationFn: ({ id, role }: Pick<Member, 'id' | 'role'>) =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/members/{member_id}', {
          params: { path: { ...path, member_id: id } },
          body: { role },
        }),
      ),
    onSettled: renew,
  });
  const remove = async ({ id }: Member): Promise<void> => {
    await dataOf(
      api.DELETE('/api/v1/workspaces/{workspace_id}/members/{member_id}', {
        params: { path: { ...path, member_id: id } },
      }),
    );
    await renew();
  };
  return { members, change, remove, renew };
}

/** The people who may sign in with their accounts, with the means to add, change and remove them. */
export function Members() {
  const { members, change, remove, renew } = useMembers();
  const [leaving, setLeaving] = useState<Member>();
  const hasProvider = useQuery(identityProviderQuery).data?.issuer !== null;
  return (
    <Panel title={words.title}>
      <p className="text-sm text-muted">{words.explanation}</p>
      <QueryView query={members}>
        {(items) => (
          <ul className="divide-y divide-line">
            {items.map((member) => (
              <MemberRow key={member.id} member={member}>
                {hasProvider && member.last_seen_at === null && (
                  <CopyButton
                    text={invitationLink()}
                    label={words.copyLink}
                    name={words.linkFor(member.email)}
                  />
                )}
                <Select
                  aria-label={words.roleOf(member.email)}
                  value={member.role}
                  options={ROLES}
                  onChange={(role) => change.mutate({ id: member.id, role })}
                />
                <Button onClick={() => setLeaving(member)}>{words.remove}</Button>
              </MemberRow>
            ))}
          </ul>
        )}
      </QueryView>
      {change.error && <ErrorNote error={change.error} />}
      {hasProvider ? (
        <NewMember onAdded={renew} />
      ) : (
        <div className="mt-3 border-t border-line pt-3">
          <p className="mb-2 text-sm text-warn">{words.noProvider}</p>
          <SignInLink />
        </div>
      )}
      {leaving !== undefined && (
        <Confirm
          title={words.removeTitle(leaving.email)}
          text={words.removeText}
          action={words.remove}
          run={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Panel>
  );
}

function MemberRow({ member, children }: { member: Member; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2 text-sm">
      <div className="min-w-0">
        <p className="truncate font-medium">{member.email}</p>
        <p className="text-muted">
          {member.last_seen_at === null ? (
            words.never
          ) : (
            <>
              {words.seen} <Time at={member.last_seen_at} />
            </>
          )}
        </p>
      </div>
      <div className="flex gap-2">{children}</div>
    </li>
  );
}

/** Whether a person who was added is told so, and otherwise the reason. */
function Added({ member: { email, invitation_refusal: refusal } }: { member: Schemas['AddedMemberDto'] }) {
  return (
    <p role="status" className={`text-sm sm:col-span-3 ${refusal == null ? 'text-good' : 'text-warn'}`}>
      {refusal == null ? words.added(email) : words.untold(email, refusal)}
    </p>
  );
}

function NewMember({ onAdded }: { onAdded: () => void }) {
  const { workspace_id } = useSession();
  const form = useForm({
    draft: `member ${workspace_id}`,
    initial: { email: '', role: 'reader' as Member['role'] },
    send: (body) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/members', {
          params: { path: { workspace_id }, query: { view: 'full' } },
          body,
        }),
      ),
    onSent: () => {
      form.change({ email: '' });
      form.discard();
      onAdded();
    },
  });
  return (
    <Form
      error={form.error}
      className="mt-3 grid items-start gap-2 border-t border-line pt-3 sm:grid-cols-[1fr_10rem_auto]"
      onSubmit={() => void form.submit()}
      actions={
        <Button type="submit" className="sm:mt-6" disabled={form.isPending}>
          {words.add}
        </Button>
      }
    >
      <TextField
        label={words.email}
        error={form.errorOf('email')}
        type="email"
        required
        value={form.value.email}
        onChange={(email) => form.change({ email })}
      />
      <SelectField
        label={words.role}
        value={form.value.role}
        options={ROLES}
        onChange={(role) => form.change({ role })}
      />
      {form.result !== undefined && <Added member={form.result} />}
    </Form>
  );
}
