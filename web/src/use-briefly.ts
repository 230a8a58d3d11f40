import { useEffect, useState } from 'react';

const SHOWN_MS = 4_000;

/** A flag for brief messages: `say(true)` sets it for four seconds, `say(false)` clears it. */
export function useBriefly(): readonly [isSaid: boolean, say: (said: boolean) => void] {
  const [saidAt, setSaidAt] = useState<number | null>(null);
  useEffect(() => {
    if (saidAt === null) return;
    const timer = setTimeout(() => setSaidAt(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [saidAt]);
  return [saidAt !== null, (said) => setSaidAt(said ? performance.now() : null)];
}
