import { Field, inputClass } from '../../components/controls.tsx';
import { QueryHelp, QueryNotices } from '../../components/query-notices.tsx';
import type { FormState } from '../../components/use-form.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import type { AlertDraft } from './alert-draft.ts';

const words = alertsTexts;

/** The query and the keywords, of which an alert needs one. */
export function ConditionFields({
  form: { value: draft, change, errorOf },
}: {
  form: Pick<FormState<AlertDraft>, 'value' | 'change' | 'errorOf'>;
}) {
  return (
    <>
      <div>
        <Field label={words.query} hint={words.queryHint} error={errorOf('query')}>
          {(control) => (
            <textarea
              {...control}
              className={inputClass}
              rows={2}
              maxLength={4000}
              required={draft.keywordText.trim() === ''}
              value={draft.query}
              onChange={({ target }) => change({ query: target.value })}
            />
          )}
        </Field>
        <QueryNotices q={draft.query} of={draft.of === 'comments' ? 'comments' : 'posts'} />
        <QueryHelp />
      </div>
      <Field label={words.keywords} hint={words.keywordsHint} error={errorOf('keywords')}>
        {(control) => (
          <textarea
            {...control}
            className={inputClass}
            rows={3}
            value={draft.keywordText}
            onChange={({ target }) => change({ keywordText: target.value })}
          />
        )}
      </Field>
    </>
  );
}
