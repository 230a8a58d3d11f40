import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';

/** Whether this machine has the `zstd` command, which stands in for the zstd that Node.js has from 22.15 on. */
export function hasZstdCommand(): boolean {
  return spawnSync('zstd', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** What the `zstd` command writes for an input. Throws its failure or the input's, after everything that was written. */
export async function* runZstd(
  options: readonly string[],
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const child = spawn('zstd', ['-qc', ...options], { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  // A failed start is thrown where it is awaited.
  exited.catch(() => undefined);
  const fed = new Promise<Error | null | undefined>((resolve) =>
    pipeline(Readable.from(input, { objectMode: false }), child.stdin, resolve),
  );
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    // A command that refuses its input closes it early, so its own failure comes first.
    const failure = await fed;
    requireSuccess(((await exited) as [number | null])[0]);
    if (failure) throw failure;
  } finally {
    child.kill('SIGKILL');
  }
}

/** What the `zstd` command writes for some bytes. Throws when it fails. */
export function runZstdSync(options: readonly string[], input: Uint8Array): Buffer {
  const { status, stdout } = spawnSync('zstd', ['-qc', ...options], {
    input,
    maxBuffer: Infinity,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  requireSuccess(status);
  return stdout;
}

function requireSuccess(code: number | null): void {
  if (code !== 0) throw new Error(`zstd ended with ${code}`);
}
