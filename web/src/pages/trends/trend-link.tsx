import { useMutation } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button, inputClass } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Modal } from '../../components/modal.tsx';
import type { Pin } from '../../components/pinned-trends.ts';
import { ErrorNote } from '../../components/states.tsx';
import { formatDay } from '../../format.ts';
import { commonTexts } from '../../texts/common.ts';
import { trendsTexts } from '../../texts/trends.ts';

const words = trendsTexts.link;

/** Makes the address that shows a pinned trend to people without an account, shown once, or ends it. */
export default function TrendLink({
  pin,
  onChange,
  onClose,
}: {
  pin: Pin;
  onChange: () => Promise<void>;
  onClose: () => void;
}) {
  const { workspace_id } = useSession();
  const path = { workspace_id, pin_id: pin.id };
  const create = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/api/v1/workspaces/{workspace_id}/trends/pins/{pin_id}/link', { params: { path } })),
    onSuccess: onChange,
    gcTime: 0,
  });
  const end = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/api/v1/workspaces/{workspace_id}/trends/pins/{pin_id}/link', { params: { path } })),
    onSuccess: () => {
      create.reset();
      return onChange();
    },
  });
  const error = create.error ?? end.error;
  const endsAt = pin.link_expires_at;
  return (
    <Modal title={words.title} once={create.data?.link_url} onClose={onClose}>
      <p className="mb-3 text-sm text-muted">{create.data === undefined ? words.hint : words.once}</p>
      {create.data !== undefined && <Address value={create.data.link_url} />}
      <p role="status" className="mb-3 text-sm">
        {endsAt === null ? words.none : words.ends(formatDay(new Date(endsAt)))}
      </p>
      {error && <ErrorNote error={error} />}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button look="danger" disabled={endsAt === null || end.isPending} onClick={() => end.mutate()}>
          {words.end}
        </Button>
        <Button look="primary" disabled={create.isPending} onClick={() => create.mutate()}>
          {endsAt === null ? words.create : words.renew}
        </Button>
        {create.data !== undefined && <Button onClick={onClose}>{commonTexts.done}</Button>}
      </div>
    </Modal>
  );
}

function Address({ value }: { value: string }) {
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <input
        readOnly
        aria-label={words.address}
        value={value}
        className={`${inputClass} flex-1 basis-64 font-mono text-[13px]!`}
        onFocus={({ target }) => target.select()}
      />
      <CopyButton text={value} label={words.copy} />
    </div>
  );
}
