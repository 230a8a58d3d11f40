import { Fragment } from 'react';
import type { MarkedPart } from './word-marks.ts';

/** A text whose marked parts stand out. */
export function MarkedParts({ parts }: { parts: readonly MarkedPart[] }) {
  return parts.map(({ text, marked }, index) =>
    marked ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
  );
}
