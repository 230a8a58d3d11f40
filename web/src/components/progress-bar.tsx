/** A bar of how much is done; without a total it only shows that something is happening. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number | null }) {
  return (
    <progress
      aria-label={label}
      {...(total !== null && { max: Math.max(1, total), value: Math.min(done, total) })}
      className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-fresh [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-fresh"
    />
  );
}
