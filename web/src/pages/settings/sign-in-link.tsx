import { useMutation } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { Button } from '../../components/controls.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { settingsTexts } from '../../texts/settings.ts';

/** Creates a link that signs in another browser once, and shows it once. */
export function SignInLink() {
  const words = settingsTexts.link;
  const create = useMutation({ mutationFn: () => dataOf(api.POST('/api/v1/session/links')), gcTime: 0 });
  return (
    <>
      {create.error && <ErrorNote error={create.error} />}
      <Button disabled={create.isPending} onClick={() => create.mutate()}>
        {words.create}
      </Button>
      {create.data !== undefined && (
        <SecretOnce
          title={words.title}
          text={words.text}
          label={words.label}
          value={location.origin + create.data.path}
          onClose={create.reset}
        />
      )}
    </>
  );
}
