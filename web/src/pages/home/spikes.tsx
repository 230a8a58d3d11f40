import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { SpikeEntry } from '../../components/spike-entry.tsx';
import { homeTexts } from '../../texts/home.ts';
import { spikesQuery } from './home-queries.ts';

/** The times of the last week at which far more was written than usual, and what about; nothing when there were none. */
export function Spikes() {
  const { workspace_id } = useSession();
  const spikes = useQuery(spikesQuery(workspace_id)).data;
  if (spikes === undefined || spikes.length === 0) return null;
  return (
    <Panel title={homeTexts.spikes}>
      <ul className="space-y-3">
        {spikes.map((spike) => (
          <SpikeEntry
            key={spike.start}
            spike={spike}
            search={{ q: `after:${spike.start} before:${spike.end}` }}
          />
        ))}
      </ul>
    </Panel>
  );
}
