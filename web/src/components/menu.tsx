import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from './card.tsx';
import { buttonClass, type Look } from './controls.tsx';

/** Classes of a choice. */
export const menuItemClass = (look: Look = 'quiet'): string => `${buttonClass(look)} w-full justify-start!`;

/**
 * Choices below a button. A choice, Escape, a click elsewhere or the loss of focus closes it. On narrow screens it is
 * as wide as its container.
 */
export function Menu({
  label,
  name,
  children,
}: {
  label: string;
  /** Its name where several menus have the same label. */
  name?: string;
  children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = (): void => details.current?.removeAttribute('open');
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !details.current?.contains(target)) close();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, []);
  return (
    <details
      ref={details}
      className="sm:relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.preventDefault();
        close();
        details.current.querySelector('summary')?.focus();
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && !details.current?.contains(relatedTarget)) close();
      }}
    >
      <summary aria-label={name} className={`${buttonClass()} list-none`}>
        {label}
        <ChevronDown className="size-3.5 text-muted" />
      </summary>
      <Card
        onClick={() => {
          // The chosen button is hidden with the menu, and would lose the focus to the page.
          details.current?.querySelector('summary')?.focus();
          close();
        }}
        className="absolute right-0 z-20 mt-1 w-60 p-2 shadow-xl max-sm:left-0 max-sm:w-auto"
      >
        {children}
      </Card>
    </details>
  );
}
