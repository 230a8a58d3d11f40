import { useIsFetching } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Loading } from './states.tsx';

/** Without first answers for so long, the content is settled: what it shows next may begin another round. */
const QUIET_MS = 80;
/** After this time the content is shown as it is. */
const LONGEST_MS = 2_500;

/** Content whose parts arrive one after the other: it is shown once all have arrived, so that none moves another. */
export function Settled({ children }: { children: ReactNode }) {
  const [isSettled, setSettled] = useState(false);
  const isAwaited = useIsFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), isAwaited ? LONGEST_MS : QUIET_MS);
    return () => clearTimeout(timer);
  }, [isAwaited]);
  return (
    <div className="relative">
      {/* Hidden content takes its place, and is loaded as far as it would be seen. */}
      <div className={isSettled ? '' : 'invisible'}>{children}</div>
      {!isSettled && (
        <div className="absolute inset-x-0 top-0">
          <Loading />
        </div>
      )}
    </div>
  );
}
