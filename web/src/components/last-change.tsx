import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ChangedKind, lastChangeQuery } from '../api/audit.ts';
import { useSession } from '../api/session.ts';
import { historyTexts } from '../texts/history.ts';
import { Time } from './time.tsx';

/** Who changed a record last, which leads to its history; nothing for those who may not read it, and without a change. */
export function LastChange({ of, id }: { of: ChangedKind; id: string }) {
  const { workspace_id, allows } = useSession();
  const { data } = useQuery({ ...lastChangeQuery(workspace_id, of, id), enabled: allows('admin') });
  if (data == null) return null;
  return (
    <Link to="/history" search={{ q: id }} className="text-muted">
      {historyTexts.changedBy(data.key_name ?? data.actor_name ?? historyTexts.operator)}{' '}
      <Time at={data.created_at} />
    </Link>
  );
}
