import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { isWebAddress, OutsideLink } from '../../components/outside-link.tsx';
import { formatNumber } from '../../format.ts';
import { postTexts } from '../../texts/post.ts';
import { PictureDialog } from './picture-dialog.tsx';

/** Known before a file is loaded, so that nothing below it moves. */
const SHAPE = 'aspect-4/3 w-full rounded-lg bg-raised object-contain';

const isVideo = (contentType: string): boolean => contentType.startsWith('video/');

/** The stored files of a post. */
export const mediaQuery = (workspace_id: string, post_id: string) =>
  queryOptions({
    queryKey: keys.media(workspace_id, post_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/posts/{post_id}/media', {
          params: { path: { workspace_id, post_id } },
        }),
      ),
  });

/** Shows only files that the service has downloaded; the platform's own addresses are never loaded. */
export function PostMedia({ post }: { post: Schemas['PostDto'] }) {
  const media = useQuery(mediaQuery(useSession().workspace_id, post.id));
  const [enlarged, setEnlarged] = useState<number | null>(null);
  if (media.data === undefined) return null;
  const pictures = media.data.flatMap(({ path, content_type }, index) =>
    isVideo(content_type) ? [] : [{ path, number: index + 1 }],
  );
  const stored = new Set(media.data.map(({ url }) => url));
  const missing = post.media_urls.filter((address) => !stored.has(address));
  return (
    <>
      {media.data.length > 0 && (
        <ul aria-label={postTexts.media} className="mt-4 grid gap-3 sm:grid-cols-2">
          {media.data.map((one, index) => (
            <li key={one.id}>
              <StoredMedium
                medium={one}
                number={index + 1}
                onEnlarge={() => setEnlarged(pictures.findIndex(({ number }) => number === index + 1))}
              />
            </li>
          ))}
        </ul>
      )}
      {(missing.length > 0 || stored.size === 0) && (
        <MissingMedia missing={missing} addresses={post.media_urls} />
      )}
      {enlarged !== null && (
        <PictureDialog
          pictures={pictures}
          at={enlarged}
          onShow={setEnlarged}
          onClose={() => setEnlarged(null)}
        />
      )}
    </>
  );
}

function StoredMedium({
  medium: { path, content_type },
  number,
  onEnlarge,
}: {
  medium: { path: string; content_type: string };
  number: number;
  onEnlarge: () => void;
}) {
  if (isVideo(content_type))
    return (
      <video controls preload="none" src={path} aria-label={postTexts.video(number)} className={SHAPE} />
    );
  return (
    <button
      type="button"
      aria-label={postTexts.enlarge(number)}
      className="block w-full cursor-zoom-in rounded-lg"
      onClick={onEnlarge}
    >
      <img src={path} alt={postTexts.picture(number)} loading="lazy" className={SHAPE} />
    </button>
  );
}

/** Shows how many media of a post are not stored, and where they are. */
function MissingMedia({ missing, addresses }: { missing: string[]; addresses: string[] }) {
  return (
    <p className="mt-4 flex flex-wrap gap-x-3 gap-y-1 rounded-lg bg-raised px-3 py-2 text-sm">
      <span>
        {missing.length === addresses.length
          ? postTexts.noMedia
          : postTexts.missingMedia(formatNumber(missing.length), formatNumber(addresses.length))}
      </span>
      {missing.filter(isWebAddress).map((address) => (
        <OutsideLink key={address} address={address}>
          {postTexts.originalMedia(addresses.indexOf(address) + 1, addresses.length)}
        </OutsideLink>
      ))}
      <span className="basis-full text-[13px] text-muted">{postTexts.noMediaHint}</span>
    </p>
  );
}
