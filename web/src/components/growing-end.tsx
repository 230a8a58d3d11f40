import { useEffect } from 'react';
import { useStable } from '../timers.ts';
import { useInView } from './in-view.ts';

/** The end of a list that is rendered in part; calls `onNear` once, when it is less than half a screen away. */
export function GrowingEnd({ onNear }: { onNear: () => void }) {
  const [ref, wasNear] = useInView<HTMLDivElement>();
  const grow = useStable(onNear);
  useEffect(() => {
    if (wasNear) grow();
  }, [wasNear, grow]);
  return (
    <div className="relative">
      <div ref={ref} className="pointer-events-none absolute bottom-0 h-[50dvh] w-px" />
    </div>
  );
}
