import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useSession } from '../api/session.ts';
import { inputClass } from '../components/controls.tsx';
import { Modal } from '../components/modal.tsx';
import { commandsTexts } from '../texts/commands.ts';
import { navigationTexts } from '../texts/navigation.ts';
import { chooseTheme, THEMES } from '../theme.ts';
import { LINKS } from './links.ts';
import { type Command, usePostCommands, useRecordCommands } from './palette-records.ts';

/**
 * Every page and every action that the key allows, and once something is typed also saved searches, alerts, the newest
 * jobs, a search for it and the first posts of that search: type, select with the arrow keys, press Enter.
 */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const session = useSession();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const { goTo, newJob, firstSteps, newSchedule, newAlert, newWebhook, newExport, newKey, theme } =
    commandsTexts;
  const create = { search: { create: 'yes' } };
  const writing: Command[] = [
    { name: newJob, run: () => void navigate({ to: '/jobs', ...create }) },
    { name: firstSteps, run: () => void navigate({ to: '/start' }) },
    { name: newSchedule, run: () => void navigate({ to: '/schedules', ...create }) },
    { name: newAlert, run: () => void navigate({ to: '/alerts', ...create }) },
    { name: newWebhook, run: () => void navigate({ to: '/webhooks', ...create }) },
    { name: newExport, run: () => void navigate({ to: '/exports', ...create }) },
  ];
  const commands: Command[] = [
    ...(session.allows('write') ? writing : []),
    ...(session.allows('admin')
      ? [{ name: newKey, run: () => void navigate({ to: '/settings', ...create }) }]
      : []),
    ...LINKS.map(({ to, label }) => ({ name: goTo(label), run: () => void navigate({ to }) })),
    ...THEMES.map((one) => ({ name: theme(navigationTexts.themes[one]), run: () => chooseTheme(one) })),
  ];
  const typed = text.trim();
  const records = useRecordCommands();
  const posts = usePostCommands(typed);
  const matching = (all: readonly Command[]): Command[] =>
    all.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  const found =
    typed === ''
      ? commands
      : [
          ...matching(commands),
          ...matching(records),
          {
            name: commandsTexts.searchFor(typed),
            run: () => void navigate({ to: '/search', search: { q: typed } }),
          },
          // They arrive later, so they come last: the chosen command stays where it is.
          ...posts,
        ];
  const choose = (index: number): void => {
    setChosen(index);
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  return (
    <Modal title={commandsTexts.title} onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label={commandsTexts.find}
        placeholder={commandsTexts.find}
        className={inputClass}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') run(found[chosen]);
          else if (event.key === 'ArrowDown') choose(Math.min(chosen + 1, found.length - 1));
          else if (event.key === 'ArrowUp') choose(Math.max(chosen - 1, 0));
          else return;
          event.preventDefault();
        }}
      />
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={commandsTexts.title}
        className="mt-3 max-h-[60dvh] space-y-0.5 overflow-y-auto"
      >
        {found.map((command, index) => (
          <li
            key={`${index} ${command.name}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="cursor-pointer truncate rounded-lg px-3 py-2 text-sm aria-selected:bg-accent-soft"
            onMouseMove={() => setChosen(index)}
            onClick={() => run(command)}
          >
            {command.name}
          </li>
        ))}
      </ul>
    </Modal>
  );
}
