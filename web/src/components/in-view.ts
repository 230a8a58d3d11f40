import { type RefObject, useEffect, useRef, useState } from 'react';

/** A reference for an element, and whether the element has been on the screen yet. */
export function useInView<T extends Element>(): readonly [ref: RefObject<T | null>, wasSeen: boolean] {
  const ref = useRef<T>(null);
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (wasSeen || ref.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [wasSeen]);
  return [ref, wasSeen];
}
