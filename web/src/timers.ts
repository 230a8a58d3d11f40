import { useCallback, useEffect, useRef, useState } from 'react';

const SHOWN_MS = 4_000;

/** The last value that stayed unchanged for `milliseconds`. */
export function useDelayed<T>(value: T, milliseconds: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}

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

/** A function with a stable identity that always calls the latest version of `run`. */
export function useStable<A extends unknown[]>(run: (...given: A) => void): (...given: A) => void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  return useCallback((...given: A) => latest.current(...given), []);
}
