import { SelectField, TextField } from '../../components/controls.tsx';
import { secretAdvice } from '../../components/secret-advice.ts';
import { fieldError } from '../../components/states.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { newSecret } from './webhooks.ts';

const words = webhooksTexts;
const KINDS = ['new', 'own', 'none'] as const;

/** How the requests of a webhook are signed, as edited in a form. */
export interface Signing {
  kind: (typeof KINDS)[number];
  /** The secret of the kind `new`. */
  generated: string;
  /** The secret of the kind `own`, which other programs already know. */
  own: string;
}

export const firstSigning = (): Signing => ({ kind: 'new', generated: newSecret(), own: '' });

/** The secret in the API's format; null for requests without a signature. */
export function secretOf({ kind, generated, own }: Signing): string | null {
  if (kind === 'none') return null;
  return kind === 'new' ? generated : own;
}

/** The choice of a signature, with a field for an existing secret, which is not shown again. */
export function SigningFields({
  signing,
  error,
  onChange,
}: {
  signing: Signing;
  error: Error | null;
  onChange: (signing: Signing) => void;
}) {
  return (
    <>
      <SelectField
        label={words.signing}
        hint={words.signingHints[signing.kind]}
        value={signing.kind}
        options={KINDS.map((kind) => [kind, words.signings[kind]] as const)}
        onChange={(kind) => onChange({ ...signing, kind })}
      />
      {signing.kind === 'own' && (
        <TextField
          label={words.ownSecret}
          hint={secretAdvice(signing.own)}
          error={fieldError(error, 'secret')}
          type="password"
          autoComplete="off"
          required
          value={signing.own}
          onChange={(own) => onChange({ ...signing, own })}
        />
      )}
    </>
  );
}
