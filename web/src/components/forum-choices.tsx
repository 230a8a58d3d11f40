import { useQuery } from '@tanstack/react-query';
import { forumsQuery } from '../api/forums.ts';
import { sourcesQuery } from '../api/sources.ts';
import { useSession } from '../api/session.ts';
import { formatNumber } from '../format.ts';
import { trendsTexts } from '../texts/trends.ts';

/**
 * Names of forums as choices of a field: those with stored posts, the most frequent first, then an example of each kind
 * of forum that the sources have. `before` is what each choice begins with, for a field of several names.
 */
export function ForumChoices({ id, before = '' }: { id: string; before?: string }) {
  const { workspace_id } = useSession();
  const { data: stored = [] } = useQuery(forumsQuery(workspace_id));
  const { data: known } = useQuery(sourcesQuery);
  const forums = stored.map(({ value, count }) => ({
    name: value,
    text: trendsTexts.keywords.posts(formatNumber(count)),
  }));
  const examples = (known?.sources ?? []).flatMap(({ name, targets }) =>
    targets
      .filter(
        ({ example, target_type }) => target_type === 'forum' && !forums.some((one) => one.name === example),
      )
      .map(({ example, description }) => ({ name: example, text: `${name}: ${description}` })),
  );
  return (
    <datalist id={id}>
      {[...forums, ...examples].map(({ name, text }) => (
        <option key={name} value={before + name}>
          {text}
        </option>
      ))}
    </datalist>
  );
}
