// @vitest-environment happy-dom
import { Opening, show } from '../testing/page.tsx';
import { screen, waitFor } from '@testing-library/react';
import { lazy } from 'react';
import { describe, expect, it } from 'vitest';
import { Layer } from '../components/layer.tsx';
import { useChosen } from '../components/use-chosen.ts';
import { usePageKeys } from './keys.ts';
import { LINKS } from './links.ts';
import ShortcutsHelp from './shortcuts-help.tsx';

/** A page that notes its keys, with fields of several kinds. */
function Page({ got }: { got: string[] }) {
  usePageKeys((key) => got.push(key) > 0);
  return (
    <>
      <input aria-label="Text" />
      <input aria-label="Box" type="checkbox" />
      <a href="#elsewhere">Link</a>
    </>
  );
}

describe('the keys of a page', () => {
  it('do nothing behind a dialog, from the moment it is asked for', async () => {
    let arrive = (): void => undefined;
    const Palette = lazy(async () => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return import('./command-palette.tsx');
    });
    const got: string[] = [];
    const user = await show(
      <>
        <Page got={got} />
        <Opening>
          {(onClose) => (
            <Layer onClose={onClose}>
              <Palette onClose={onClose} />
            </Layer>
          )}
        </Opening>
      </>,
    );
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await user.keyboard('desx{Backspace}k');
    arrive();
    const field = await screen.findByRole<HTMLInputElement>('combobox');
    await waitFor(() => expect(field.value).toBe('desk'));
    await user.keyboard('s');
    expect(field.value).toBe('desks');
    expect(got).toEqual([]);
  });

  it('close by Escape a dialog that does not arrive', async () => {
    const Never = lazy(() => new Promise<never>(() => undefined));
    const user = await show(
      <Opening>
        {(onClose) => (
          <Layer onClose={onClose}>
            <Never />
          </Layer>
        )}
      </Opening>,
    );
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(document.querySelector('[data-layer-loading]')).not.toBe(null);
    await user.keyboard('{Escape}');
    expect(document.querySelector('[data-layer-loading]')).toBe(null);
  });

  it('are not those of fields and links', async () => {
    const got: string[] = [];
    const user = await show(<Page got={got} />);
    await user.click(screen.getByLabelText('Text'));
    await user.keyboard('e');
    screen.getByRole('link').focus();
    await user.keyboard('{Enter}E');
    screen.getByLabelText('Box').focus();
    await user.keyboard('x{Control>}z{/Control}');
    expect(got).toEqual(['e', 'x']);
  });

  it('take back a choice of records by Escape', async () => {
    function List() {
      const { chosen, toggle } = useChosen();
      return (
        <button type="button" onClick={() => toggle('1')}>
          {[...chosen].join()}
        </button>
      );
    }
    const user = await show(<List />);
    await user.click(screen.getByRole('button'));
    expect(screen.getByRole('button').textContent).toBe('1');
    await user.keyboard('{Escape}');
    expect(screen.getByRole('button').textContent).toBe('');
  });

  it('open every page of the navigation, and are all listed in one case', async () => {
    expect(new Set(LINKS.map(({ key }) => key)).size).toBe(LINKS.length);
    await show(<ShortcutsHelp onClose={() => undefined} />);
    const shown = (await screen.findAllByRole('term')).map(({ textContent }) => textContent!);
    for (const { key } of LINKS) expect(shown).toContain(`G ${key.toUpperCase()}`);
    expect(shown.filter((keys) => /(^| )[a-z]($| )/.test(keys))).toEqual([]);
  });
});
