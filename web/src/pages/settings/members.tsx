import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Button, inputClass, SelectField, TextField } from '../../components/controls.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useForm } from '../../components/use-form.ts';
import { settingsTexts } from '../../texts/settings.ts';

const words = settingsTexts.members;
type Member = Schemas['MemberDto'];
type Role = Member['role'];
const ROLES = Object.keys(words.roles) as Role[];

/** The people who may sign in with their accounts, with the means to add, change and remove them. */
export function Members() {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const queryKey = keys.members(workspace_id);
  const path = { workspace_id };
  const members = useQuery({
    queryKey,
    queryFn: () => dataOf(api.GET('/api/v1/workspaces/{workspace_id}/members', { params: { path } })),
  });
  const renew = () => client.invalidateQueries({ queryKey });
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
  const [leaving, setLeaving] = useState<Member>();
  const remove = async ({ id }: Member): Promise<void> => {
    await dataOf(
      api.DELETE('/api/v1/workspaces/{workspace_id}/members/{member_id}', {
        params: { path: { ...path, member_id: id } },
      }),
    );
    await renew();
  };
  return (
    <Panel title={words.title}>
      <p className="text-sm text-muted">{words.explanation}</p>
      <QueryView query={members}>
        {(items) => (
          <ul className="divide-y divide-line">
            {items.map((member) => (
              <li key={member.id} className="flex flex-wrap items-center justify-between gap-3 py-2 text-sm">
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
                <div className="flex gap-2">
                  <RoleSelect
                    label={words.roleOf(member.email)}
                    value={member.role}
                    onChange={(role) => change.mutate({ id: member.id, role })}
                  />
                  <Button onClick={() => setLeaving(member)}>{words.remove}</Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {change.error && <ErrorNote error={change.error} />}
      <NewMember onAdded={renew} />
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

function NewMember({ onAdded }: { onAdded: () => void }) {
  const { workspace_id } = useSession();
  const form = useForm({
    draft: `member ${workspace_id}`,
    initial: { email: '', role: 'reader' as Role },
    send: (body) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/members', { params: { path: { workspace_id } }, body }),
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
        options={ROLES.map((role) => [role, words.roles[role]] as const)}
        onChange={(role) => form.change({ role })}
      />
    </Form>
  );
}

function RoleSelect({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Role;
  onChange: (role: Role) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Role)}
      className={inputClass}
    >
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {words.roles[role]}
        </option>
      ))}
    </select>
  );
}
