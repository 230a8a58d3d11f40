import { type PointerEvent, type RefObject, useRef } from 'react';
import { type Swipe, swipeOf } from './swipe.ts';

interface Touch {
  id: number;
  x: number;
  y: number;
  swipe: Swipe;
}

/**
 * Handlers that move an element with a finger that swipes it sideways. `onShow` gets what releasing it would do, null
 * once it rests again; `onSwipe` gets what was done. Mouse and pen are left alone, and so is scrolling.
 */
export function useSwipe(
  element: RefObject<HTMLElement | null>,
  onShow: (action: Swipe['action']) => void,
  onSwipe: (action: NonNullable<Swipe['action']>) => void,
) {
  const touch = useRef<Touch>(null);
  const move = (x: number): void => {
    if (element.current) element.current.style.transform = x === 0 ? '' : `translateX(${x}px)`;
  };
  const end = (isDone: boolean): void => {
    const action = touch.current?.swipe.action ?? null;
    touch.current = null;
    move(0);
    onShow(null);
    if (isDone && action !== null) onSwipe(action);
  };
  return {
    onPointerDown: ({ pointerType, isPrimary, pointerId, clientX, clientY }: PointerEvent): void => {
      if (pointerType !== 'touch' || !isPrimary) return;
      touch.current = { id: pointerId, x: clientX, y: clientY, swipe: { offset: 0, action: null } };
    },
    onPointerMove: ({ pointerId, clientX, clientY }: PointerEvent): void => {
      const begun = touch.current;
      if (begun?.id !== pointerId) return;
      begun.swipe = swipeOf(clientX - begun.x, clientY - begun.y);
      move(begun.swipe.offset);
      onShow(begun.swipe.action);
    },
    onPointerUp: (): void => end(true),
    onPointerCancel: (): void => end(false),
  };
}
