import { useEffect } from 'react';
import { Button } from '../../components/controls.tsx';
import { Modal } from '../../components/modal.tsx';
import { commonTexts } from '../../texts/common.ts';
import { postTexts } from '../../texts/post.ts';
import { useStable } from '../../timers.ts';

const words = postTexts;
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** A stored picture as large as the screen allows; the arrow keys show the others of the post. */
export function PictureDialog({
  pictures,
  at,
  onShow,
  onClose,
}: {
  pictures: readonly { path: string; number: number }[];
  at: number;
  onShow: (at: number) => void;
  onClose: () => void;
}) {
  const step = useStable((by: number): void => {
    if (pictures[at + by] !== undefined) onShow(at + by);
  });
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent): void => step(STEPS[key] ?? 0);
    // Before the dialog, which keeps arrow keys to itself.
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [step]);
  const { path, number } = pictures[at]!;
  return (
    <Modal title={words.picture(number)} size="screen" onClose={onClose}>
      <img key={path} src={path} alt={words.picture(number)} className="h-[72dvh] w-full object-contain" />
      {pictures.length > 1 && (
        <div className="mt-3 flex items-center justify-center gap-3">
          <Button disabled={at === 0} onClick={() => step(-1)}>
            {words.previousPicture}
          </Button>
          <span role="status" className="text-[13px] text-muted tabular-nums">
            {commonTexts.shown(String(at + 1), String(pictures.length))}
          </span>
          <Button disabled={at === pictures.length - 1} onClick={() => step(1)}>
            {words.nextPicture}
          </Button>
        </div>
      )}
    </Modal>
  );
}
