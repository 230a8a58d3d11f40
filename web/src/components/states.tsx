import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { ApiError } from '../api/client.ts';
import { inWords } from '../field-labels.ts';
import { commonTexts } from '../texts/common.ts';
import { errorsTexts } from '../texts/errors.ts';
import { Button } from './controls.tsx';

/** Grey bars as a placeholder while a list is loading. */
export function Loading({ rows = 3 }: { rows?: number }) {
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">{commonTexts.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="h-16 animate-pulse rounded-xl bg-raised" />
      ))}
    </div>
  );
}

/** What a first record could be, in two lines. */
export interface Example {
  name: string;
  details: string;
}

/** An empty list: what that means, what a record could be, and the button for what to do. */
export function Empty({
  title,
  hint,
  example,
  children,
}: {
  title: string;
  hint?: string;
  example?: Example;
  children?: ReactNode;
}) {
  return (
    <div className="rounded-xl border border-dashed border-edge px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      {hint !== undefined && <p className="mt-1 text-sm text-muted">{hint}</p>}
      {example !== undefined && (
        <div className="mx-auto mt-4 max-w-md rounded-lg border border-line bg-surface px-3.5 py-2.5 text-left text-[13px] [overflow-wrap:anywhere]">
          <p className="text-[11px] font-semibold tracking-wide text-muted uppercase">
            {commonTexts.example}
          </p>
          <p className="mt-1 font-medium">{example.name}</p>
          <p className="text-muted">{example.details}</p>
        </div>
      )}
      {children !== undefined && children !== false && (
        <div className="mt-4 flex justify-center">{children}</div>
      )}
    </div>
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A message begins with its field's path in the request. Next to the field only the position of an entry adds
 * something, e.g. `keywords.0`.
 */
const sentence = ({ message }: { message: string }): string =>
  capitalised(
    message
      .replace(/^\w+\.(\d+)/, (_path, index: string) => errorsTexts.entry(Number(index) + 1))
      .replace(/^[a-z_]+(\.[a-z_]+)? (?=must |should |is |has |cannot )/, ''),
  );

/** A message far from its field: it names the field by the words in its name, never as the API writes it. */
const namedSentence = ({ message }: { message: string }): string =>
  capitalised(inWords(message, errorsTexts.entry));

/**
 * The text of an error: the service's own message, or that it cannot be reached; null when all of it is already shown.
 */
function messageOf(error: Error, shown: readonly string[]): string | null {
  if (!(error instanceof ApiError)) return errorsTexts.offline;
  const { problem } = error;
  if (problem === null) return errorsTexts.unexpected;
  if (problem.errors === undefined) return problem.detail;
  const others = problem.errors.filter((one) => !shown.includes(sentence(one)));
  return others.length === 0 ? null : others.map(namedSentence).join(' ');
}

/** The message for one field of a refused form. */
export function fieldError(error: Error | null, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.problem?.errors?.find(
    (one) => one.field === field || one.field.startsWith(`${field}.`),
  );
  return found && sentence(found);
}

export function ErrorNote({
  error,
  shown = [],
  onRetry,
}: {
  error: Error;
  /** Messages of the error that are already shown elsewhere. */
  shown?: readonly string[];
  onRetry?: () => void;
}) {
  const message = messageOf(error, shown);
  if (message === null) return null;
  const requestId = error instanceof ApiError && error.status >= 500 ? error.problem?.request_id : undefined;
  return (
    <Card role="alert" look="bad" className="px-4 py-3 text-sm">
      <p className="text-bad [overflow-wrap:anywhere]">{message}</p>
      {requestId !== undefined && <p className="mt-1 text-muted">{errorsTexts.requestId(requestId)}</p>}
      {onRetry && (
        <Button className="mt-2" onClick={onRetry}>
          {commonTexts.retry}
        </Button>
      )}
    </Card>
  );
}
