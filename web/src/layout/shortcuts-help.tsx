import { Modal } from '../components/modal.tsx';
import { shortcutsTexts } from '../texts/shortcuts.ts';

export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={shortcutsTexts.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {shortcutsTexts.list.map(([keys, meaning]) => (
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
