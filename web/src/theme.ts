export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'theme';

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** Shows the page in a theme and keeps the choice in this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  applyTheme();
}

/** Shows the page in the chosen theme; charts draw themselves anew on the event `themechange`. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme();
  document.dispatchEvent(new Event('themechange'));
}
