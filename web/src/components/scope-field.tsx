import { KINDS } from '../api/kinds.ts';
import type { Scope } from '../api/session.ts';
import { settingsTexts } from '../texts/settings.ts';

const words = settingsTexts.keys;

/** The scope of a key; each scope includes the previous ones. */
export function ScopeField({ value, onChange }: { value: Scope; onChange: (scope: Scope) => void }) {
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 text-sm font-medium">{words.scope}</legend>
      {KINDS.lists.scopes.map((scope) => (
        <label key={scope} className="flex gap-2 rounded-lg px-1 py-1.5 text-sm hover:bg-raised">
          <input
            type="radio"
            name="scope"
            className="mt-0.5 size-4 accent-accent"
            checked={value === scope}
            onChange={() => onChange(scope)}
          />
          {words.scopes[scope]}
        </label>
      ))}
    </fieldset>
  );
}
