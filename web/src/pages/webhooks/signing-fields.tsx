import { SelectField, TextField } from '../../components/controls.tsx';
import { secretAdvice } from '../../components/secret-advice.ts';
import { fieldError } from '../../components/states.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { credentialOf, type Signing, signingOf, SIGNINGS } from './signing.ts';

const words = webhooksTexts;

/**
 * The choice of a signature, with a field for an existing secret, which is not shown again. Where an address needs a
 * credential, there is no choice.
 */
export function SigningFields({
  url,
  signing,
  error,
  onChange,
}: {
  url: string;
  signing: Signing;
  error: Error | null;
  onChange: (signing: Signing) => void;
}) {
  const credential = credentialOf(url);
  return (
    <>
      {credential === null && (
        <SelectField
          label={words.signing}
          hint={words.signingHints[signing.kind]}
          value={signing.kind}
          options={SIGNINGS.map((kind) => [kind, words.signings[kind]] as const)}
          onChange={(kind) => onChange({ ...signing, kind })}
        />
      )}
      {signingOf(url, signing).kind === 'own' && (
        <TextField
          label={credential === null ? words.ownSecret : words.credential}
          hint={credential === null ? secretAdvice(signing.own) : words.credentialHint(credential)}
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
