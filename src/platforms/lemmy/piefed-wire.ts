import { asObject, type WireObject } from '../http/response-parsing.js';

/** A view of PieFed in the form of Lemmy's; null for another value. Its names differ, its structure does not. */
export function viewOfPiefed(value: unknown): WireObject | null {
  const view = asObject(value);
  const { post, comment, creator } = view ?? {};
  return (
    view && {
      ...view,
      ...named(post, 'post', ({ title, user_id, post_type }) => ({
        name: title,
        creator_id: user_id,
        url_content_type: post_type === 'Image' ? 'image/*' : undefined,
      })),
      ...named(comment, 'comment', ({ body, user_id }) => ({ content: body, creator_id: user_id })),
      ...named(creator, 'creator', ({ user_name }) => ({ name: user_name })),
    }
  );
}

function named(value: unknown, key: string, names: (part: WireObject) => WireObject): WireObject {
  const part = asObject(value);
  return part === null ? {} : { [key]: { ...part, ...names(part) } };
}

/** Whether a post's view, or its community, is marked as not safe for work. */
export function isNsfwOnPiefed(view: WireObject): boolean {
  return asObject(view.post)?.nsfw === true || asObject(view.community)?.nsfw === true;
}
