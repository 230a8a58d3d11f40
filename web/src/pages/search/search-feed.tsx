import { useMutation } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button, inputClass } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Modal } from '../../components/modal.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { commonTexts } from '../../texts/common.ts';
import { searchTexts } from '../../texts/search.ts';
import type { SavedSearch } from './saved-searches.ts';

const words = searchTexts.feed;

/** Makes secret addresses of the newest results for feed readers, shown once, or ends those made before. */
export default function SearchFeed({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const { workspace_id } = useSession();
  const path = { workspace_id, search_id: search.id };
  const create = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/api/v1/workspaces/{workspace_id}/searches/{search_id}/feed', { params: { path } })),
    gcTime: 0,
  });
  const end = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/api/v1/workspaces/{workspace_id}/searches/{search_id}/feed', { params: { path } })),
    onSuccess: () => create.reset(),
  });
  const error = create.error ?? end.error;
  return (
    <Modal title={words.title(search.name)} once={create.data?.atom_url} onClose={onClose}>
      <p className="mb-3 text-sm text-muted">{create.data === undefined ? words.hint : words.once}</p>
      {create.data !== undefined && (
        <ul className="mb-3 space-y-2">
          <FeedAddress form="Atom" address={create.data.atom_url} />
          <FeedAddress form="RSS" address={create.data.rss_url} />
          <FeedAddress form="JSON" address={create.data.json_url} />
        </ul>
      )}
      {end.isSuccess && (
        <p role="status" className="mb-3 text-sm text-good">
          {words.ended}
        </p>
      )}
      {error && <ErrorNote error={error} />}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button look="danger" disabled={end.isPending} onClick={() => end.mutate()}>
          {words.end}
        </Button>
        <Button
          look="primary"
          disabled={create.isPending}
          onClick={() => {
            end.reset();
            create.mutate();
          }}
        >
          {create.data === undefined ? words.create : words.renew}
        </Button>
        {create.data !== undefined && <Button onClick={onClose}>{commonTexts.done}</Button>}
      </div>
    </Modal>
  );
}

function FeedAddress({ form, address }: { form: string; address: string }) {
  return (
    <li className="flex flex-wrap items-center gap-2">
      <span className="w-12 text-sm">{form}</span>
      <input
        readOnly
        aria-label={words.address(form)}
        value={address}
        className={`${inputClass} flex-1 basis-48 font-mono text-[13px]!`}
        onFocus={({ target }) => target.select()}
      />
      <CopyButton text={address} />
    </li>
  );
}
