export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'theme';

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** Applies a theme and stores the choice in this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  applyTheme();
}

/** Applies the stored theme; charts redraw themselves on the event `themechange`. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme();
  document.dispatchEvent(new Event('themechange'));
}
