import { Button } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { trendsTexts } from '../../texts/trends.ts';
import type { Line } from './trend-lines.ts';
import { csvOf } from './trend-values.ts';
import type { Measure } from './trends-state.ts';

const words = trendsTexts.take;

/** Takes the chart along: as numbers, as a picture, or as the address of the page. */
export function Take({ lines, measure }: { lines: Line[]; measure: Measure }) {
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button
        onClick={() =>
          save('trends.csv', new Blob([csvOf(lines, measure, words.start)], { type: 'text/csv' }))
        }
      >
        {words.csv}
      </Button>
      <Button
        onClick={() =>
          document
            .querySelector<HTMLCanvasElement>('main canvas')
            ?.toBlob((picture) => picture && save('trends.png', picture))
        }
      >
        {words.png}
      </Button>
      <CopyButton text={location.href} label={words.link} />
    </div>
  );
}

/** Downloads data that the page made. */
function save(name: string, data: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
