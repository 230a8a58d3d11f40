import { type ComponentProps, createElement } from 'react';

const LOOKS = {
  plain: 'border-line',
  selected: 'border-accent ring-1 ring-accent',
  bad: 'border-bad',
};

/** A framed part of a page; its padding is that of its use. */
export function Card<E extends 'div' | 'li' | 'ul' | 'section' | 'article' | 'figure' = 'div'>({
  as,
  look = 'plain',
  className = '',
  ...rest
}: Omit<ComponentProps<E>, 'as'> & { as?: E; look?: keyof typeof LOOKS; className?: string }) {
  return createElement<object>(as ?? 'div', {
    ...rest,
    className: `rounded-xl border bg-surface ${LOOKS[look]} ${className}`,
  });
}
