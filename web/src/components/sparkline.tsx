const HEIGHT = 28;
const STEP = 5;
const GAP = 1;

/** Bars for a few values in time order, without axes; the text next to it has the numbers. */
export function Sparkline({
  values,
  tone = 'accent',
}: {
  values: readonly number[];
  tone?: 'accent' | 'bad';
}) {
  const most = Math.max(1, ...values);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`sparkline h-7 w-full ${tone === 'bad' ? 'fill-bad' : 'fill-accent'}`}
    >
      {values.map((value, index) => {
        // Empty buckets have a line, so that the time they stand for is visible.
        const height = Math.max(1, (value / most) * HEIGHT);
        return (
          <rect
            key={index}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - GAP}
            height={height}
            opacity={value === 0 ? 0.25 : 1}
          />
        );
      })}
    </svg>
  );
}
