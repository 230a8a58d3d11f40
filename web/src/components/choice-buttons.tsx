import { Button } from './controls.tsx';

/** A choice of one of a few options, as a row of buttons of which the chosen one is pressed. */
export function ChoiceButtons<T extends string>({
  label,
  options,
  value,
  onChange,
  className = '',
}: {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onChange: (option: T) => void;
  className?: string;
}) {
  return (
    <div role="group" aria-label={label} className={`flex gap-1 ${className}`}>
      {options.map(([option, text]) => (
        <Button key={option} look="quiet" aria-pressed={option === value} onClick={() => onChange(option)}>
          <span className={option === value ? 'font-semibold text-accent' : ''}>{text}</span>
        </Button>
      ))}
    </div>
  );
}
