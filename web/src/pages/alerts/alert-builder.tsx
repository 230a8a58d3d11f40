import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { Field, inputClass, Select } from '../../components/controls.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Modal } from '../../components/modal.tsx';
import { ErrorNote, fieldError } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';

type Channel = NonNullable<Schemas['CreateAlertDto']['channel']>;
const CHANNELS = ['email', 'discord', 'telegram', 'slack', 'webhook'] as const satisfies readonly Channel[];
const TYPING_MS = 300;
const SHOWN_MATCHES = 5;

const partsOf = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** Creates an alert and shows which of the stored posts it would have matched. */
export default function AlertBuilder({
  keywords: firstKeywords,
  forums: firstForums,
  onClose,
}: {
  keywords: string[];
  forums: string[];
  onClose: () => void;
}) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(firstKeywords.join(', ').slice(0, 255));
  const [keywordText, setKeywordText] = useState(firstKeywords.join('\n'));
  const [forumText, setForumText] = useState(firstForums.join(', '));
  const [channel, setChannel] = useState<Channel>('email');
  const [address, setAddress] = useState('');
  const [chatId, setChatId] = useState('');
  const [idempotencyKey] = useState(newIdempotencyKey);
  const keywords = partsOf(keywordText, /\n/);
  const forums = partsOf(forumText, /,/);

  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/alerts', {
          params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
          body: { name, keywords, forums, channel, channel_config: channelConfig(channel, address, chatId) },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['alerts'] });
      onClose();
      void navigate({ to: '/alerts', search: {} });
    },
  });
  const words = texts.alerts;
  return (
    <Modal title={words.create} wide onClose={onClose}>
      <form
        className="grid gap-6 md:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <div className="space-y-4">
          <Field label={words.name} error={fieldError(create.error, 'name')}>
            {(control) => (
              <input
                {...control}
                className={inputClass}
                required
                maxLength={255}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <Field
            label={words.keywords}
            hint={words.keywordsHint}
            error={fieldError(create.error, 'keywords')}
          >
            {(control) => (
              <textarea
                {...control}
                className={inputClass}
                rows={4}
                required
                value={keywordText}
                onChange={({ target }) => setKeywordText(target.value)}
              />
            )}
          </Field>
          <Field label={words.forums} hint={words.forumsHint} error={fieldError(create.error, 'forums')}>
            {(control) => (
              <input
                {...control}
                className={inputClass}
                value={forumText}
                onChange={({ target }) => setForumText(target.value)}
              />
            )}
          </Field>
          <Field label={words.channel} error={fieldError(create.error, 'channel')}>
            {(control) => (
              <Select
                {...control}
                value={channel}
                onChange={({ target }) => setChannel(target.value as Channel)}
                options={CHANNELS.map((one) => [one, words.channels[one]!] as const)}
              />
            )}
          </Field>
          {channel === 'email' ? (
            <Field
              label={words.email}
              hint={words.emailHint}
              error={fieldError(create.error, 'channel_config')}
            >
              {(control) => (
                <input
                  {...control}
                  type="email"
                  className={inputClass}
                  value={address}
                  onChange={({ target }) => setAddress(target.value)}
                />
              )}
            </Field>
          ) : (
            <Field label={words.address} error={fieldError(create.error, 'channel_config')}>
              {(control) => (
                <input
                  {...control}
                  type="url"
                  className={inputClass}
                  required
                  value={address}
                  onChange={({ target }) => setAddress(target.value)}
                />
              )}
            </Field>
          )}
          {channel === 'telegram' && (
            <Field label={words.chatId}>
              {(control) => (
                <input
                  {...control}
                  className={inputClass}
                  value={chatId}
                  onChange={({ target }) => setChatId(target.value)}
                />
              )}
            </Field>
          )}
        </div>
        <div className="flex min-w-0 flex-col justify-between gap-4">
          <Preview keywords={keywords} forums={forums} />
          <FormActions
            mutation={create}
            submit={words.submit}
            submitting={words.submitting}
            onCancel={onClose}
          />
        </div>
      </form>
    </Modal>
  );
}

function channelConfig(channel: Channel, address: string, chatId: string): Record<string, string> {
  if (channel === 'email') return address === '' ? {} : { to: address };
  return { webhook_url: address, ...(channel === 'telegram' && chatId !== '' && { chat_id: chatId }) };
}

function Preview({ keywords, forums }: { keywords: string[]; forums: string[] }) {
  const { workspace_id } = useSession();
  const draft = useDelayed(JSON.stringify({ keywords, forums }), TYPING_MS);
  const preview = useQuery({
    queryKey: ['alert-preview', workspace_id, draft],
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/alerts/preview', {
          params: { path: { workspace_id } },
          body: JSON.parse(draft) as Schemas['DraftAlertDto'],
          signal,
        }),
      ),
    enabled: (JSON.parse(draft) as Schemas['DraftAlertDto']).keywords.length > 0,
    placeholderData: keepPreviousData,
  });
  const words = texts.alerts;
  return (
    <section aria-label={words.preview} className="rounded-xl bg-raised p-4 text-sm">
      <h3 className="mb-2 font-semibold">{words.preview}</h3>
      {keywords.length === 0 ? (
        <p className="text-muted">{words.previewEmpty}</p>
      ) : preview.error ? (
        <ErrorNote error={preview.error} />
      ) : preview.data === undefined ? (
        <p className="text-muted">{texts.common.loading} …</p>
      ) : (
        <>
          <p role="status" className="text-muted">
            {preview.data.total === 0
              ? words.previewNone(formatNumber(preview.data.posts_scanned))
              : words.previewTotal(
                  formatNumber(preview.data.total),
                  formatNumber(preview.data.posts_scanned),
                )}
          </p>
          <ul className="mt-2 space-y-2">
            {preview.data.matches.slice(0, SHOWN_MATCHES).map((match) => (
              <li key={match.post_id} className="[overflow-wrap:anywhere]">
                <Link
                  to="/posts/$postId"
                  params={{ postId: match.post_id }}
                  target="_blank"
                  className="text-accent"
                >
                  {match.title}
                </Link>
                <span className="block text-[13px] text-muted">
                  {match.forum} · <Time at={match.created_utc} /> · {match.keywords.join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The value as it was when it last stood still for `milliseconds`. */
function useDelayed<T>(value: T, milliseconds: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}
