import { Modal } from '../components/modal.tsx';
import { texts } from '../texts.ts';

export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={texts.shortcuts.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {texts.shortcuts.list.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-edge bg-raised px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
