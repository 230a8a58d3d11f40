import { useMutation } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { Button } from '../components/controls.tsx';
import { ErrorNote } from '../components/states.tsx';
import { navigationTexts } from '../texts/navigation.ts';

/** Ends a session at the service, and then on the page; until then the browser still has its cookie. */
export function SignOut({
  className,
  run,
  onEnded,
}: {
  className: string;
  run: () => Promise<unknown>;
  onEnded: () => void;
}) {
  const leave = useMutation({ mutationFn: run, onSuccess: onEnded });
  return (
    <>
      <Button look="quiet" className={className} disabled={leave.isPending} onClick={() => leave.mutate()}>
        <LogOut className="size-4 text-muted" />
        {navigationTexts.signOut}
      </Button>
      {leave.error && <ErrorNote error={leave.error} />}
    </>
  );
}
