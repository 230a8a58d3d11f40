import { useState } from 'react';
import { inputClass, Select } from '../components/controls.tsx';
import { navigationTexts } from '../texts/navigation.ts';
import { chooseTheme, chosenTheme, type Theme, THEMES } from '../theme.ts';

/** The choice of colours. */
export function ThemeChoice({ className }: { className: string }) {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return (
    <Select
      className={`${inputClass} ${className} text-[13px]!`}
      aria-label={navigationTexts.theme}
      value={theme}
      onChange={(chosen) => {
        chooseTheme(chosen);
        setTheme(chosen);
      }}
      options={THEMES.map(
        (one) => [one, `${navigationTexts.theme}: ${navigationTexts.themes[one]}`] as const,
      )}
    />
  );
}
