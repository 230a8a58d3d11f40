import { commonTexts } from '../texts/common.ts';
import { settingsTexts } from '../texts/settings.ts';
import { Button, inputClass } from './controls.tsx';
import { CopyButton } from './copy-button.tsx';
import { Modal } from './modal.tsx';

/** Shows a secret until it was copied and the dialog is closed; afterwards it is nowhere in the page. */
export function SecretOnce({
  title,
  text,
  label,
  value,
  onClose,
}: {
  title: string;
  text: string;
  label: string;
  value: string;
  onClose: () => void;
}) {
  return (
    <Modal title={title} once={value} onClose={onClose}>
      <p className="mb-3 text-sm text-muted">{text}</p>
      <div className="flex flex-wrap gap-2">
        <input
          readOnly
          aria-label={label}
          value={value}
          className={`${inputClass} flex-1 basis-64 font-mono text-[13px]!`}
          onFocus={({ target }) => target.select()}
        />
        <CopyButton text={value} />
      </div>
      <div className="mt-5 flex justify-end">
        <Button look="primary" onClick={onClose}>
          {commonTexts.done}
        </Button>
      </div>
    </Modal>
  );
}

/** Shows a new API key once. */
export function KeyOnce({ value, onClose }: { value: string; onClose: () => void }) {
  const words = settingsTexts.keys;
  return (
    <SecretOnce
      title={words.createdTitle}
      text={words.createdText}
      label={words.value}
      value={value}
      onClose={onClose}
    />
  );
}
