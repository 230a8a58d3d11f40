import { Modal } from '../components/modal.tsx';
import { commandsTexts } from '../texts/commands.ts';
import { shortcutsTexts } from '../texts/shortcuts.ts';
import { LINKS } from './links.ts';

const LIST = [
  ...shortcutsTexts.first,
  ...LINKS.map(({ key, label }) => [`G ${key.toUpperCase()}`, commandsTexts.goTo(label)] as const),
  ...shortcutsTexts.others,
];

export default function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={shortcutsTexts.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {LIST.map(([keys, meaning]) => (
          <div key={meaning} className="contents">
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
