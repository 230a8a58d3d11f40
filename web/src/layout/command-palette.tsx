import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useSession } from '../api/session.ts';
import { inputClass } from '../components/controls.tsx';
import { takeTyped } from '../components/layer.tsx';
import { Modal } from '../components/modal.tsx';
import { commandsTexts } from '../texts/commands.ts';
import { navigationTexts } from '../texts/navigation.ts';
import { chooseTheme, THEMES } from '../theme.ts';
import { isForOwners, LINKS } from './links.ts';
import { type Command, usePostCommands, useRecordCommands } from './palette-records.ts';

type Creating = '/jobs' | '/schedules' | '/alerts' | '/reports' | '/webhooks' | '/exports' | '/settings';

/** Every page and every action that the session allows. */
function useFixedCommands(): Command[] {
  const navigate = useNavigate();
  const session = useSession();
  const { goTo, newKey, firstSteps, theme } = commandsTexts;
  const create = (name: string, to: Creating): Command => ({
    name,
    run: () => void navigate({ to, search: { create: 'yes' } }),
  });
  const go = (name: string, to: LinkProps['to']): Command => ({ name, run: () => void navigate({ to }) });
  const writing = [
    create(commandsTexts.newJob, '/jobs'),
    go(firstSteps, '/start'),
    create(commandsTexts.newSchedule, '/schedules'),
    create(commandsTexts.newAlert, '/alerts'),
    create(commandsTexts.newReport, '/reports'),
    create(commandsTexts.newWebhook, '/webhooks'),
    create(commandsTexts.newExport, '/exports'),
  ];
  return [
    ...(session.allows('write') ? writing : []),
    ...(session.allows('admin') ? [create(newKey, '/settings')] : []),
    ...LINKS.filter(({ to }) => session.allows('admin') || !isForOwners(to)).map(({ to, label }) =>
      go(goTo(label), to),
    ),
    ...THEMES.map((one) => ({ name: theme(navigationTexts.themes[one]), run: () => chooseTheme(one) })),
  ];
}

/** The commands that a text finds; all fixed ones for none. */
function useCommands(typed: string): readonly Command[] {
  const navigate = useNavigate();
  const fixed = useFixedCommands();
  const records = useRecordCommands();
  const posts = usePostCommands(typed);
  if (typed === '') return fixed;
  const search = {
    name: commandsTexts.searchFor(typed),
    run: () => void navigate({ to: '/search', search: { q: typed } }),
  };
  const isMatching = ({ name }: Command): boolean => name.toLowerCase().includes(typed.toLowerCase());
  // The posts arrive later, so they come last: the chosen command stays where it is.
  return [...fixed.filter(isMatching), ...records.filter(isMatching), search, ...posts];
}

/** What is typed, and the index of the command that is chosen: the first one after every change. */
function useTyped() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const type = (words: string): void => {
    setText(words);
    setChosen(0);
  };
  return { text, chosen, setChosen, type };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Every page and every action that the key allows, and once something is typed also saved searches, alerts, the newest
 * jobs, a search for it and the first posts of that search: type, select with the arrow keys, press Enter.
 */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { text, chosen, setChosen, type } = useTyped();
  const id = useId();
  const found = useCommands(text.trim());
  const choose = (index: number): void => {
    setChosen(index);
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const run = (command: Command | undefined): void => {
    if (command !== undefined) onClose();
    command?.run();
  };
  return (
    <Modal title={commandsTexts.title} onClose={onClose}>
      <input
        role="combobox"
        autoFocus
        onFocus={() => type(text + takeTyped())}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label={commandsTexts.find}
        placeholder={commandsTexts.find}
        className={inputClass}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          const { key } = event;
          if (key === 'Enter') run(found[chosen]);
          else if (STEPS[key]) choose(Math.min(Math.max(chosen + STEPS[key], 0), found.length - 1));
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
