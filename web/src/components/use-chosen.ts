import { useCallback, useState } from 'react';
import { usePageKeys } from '../layout/keys.ts';

/** The ids that are chosen in a list, until Escape; `toggle` and `choose` keep their identities. */
export function useChosen(): {
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
  choose: (ids: readonly string[]) => void;
} {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
    [],
  );
  const choose = useCallback((ids: readonly string[]) => setChosen(new Set(ids)), []);
  usePageKeys((key) => {
    if (key !== 'Escape' || chosen.size === 0) return false;
    choose([]);
    return true;
  });
  return { chosen, toggle, choose };
}
