import { spawn } from 'node:child_process';
import { once } from 'node:events';

const TIMEOUT_MS = 60_000;

/**
 * Joins a video stream and a sound track with ffmpeg, copying both as they are. False when there is no ffmpeg on the
 * PATH, or when it cannot. The paths are the service's own and reach no shell.
 */
export async function joinAudio(
  video: string,
  audio: string,
  target: string,
  signal: AbortSignal,
): Promise<boolean> {
  const child = spawn(
    'ffmpeg',
    // Local files only: a crafted container must not make ffmpeg open addresses.
    ['-v', 'error', '-nostdin', '-y', '-protocol_whitelist', 'file', '-i', video]
      .concat(['-protocol_whitelist', 'file', '-i', audio])
      .concat(['-map', '0:v:0', '-map', '1:a:0', '-c', 'copy', '-f', 'mp4', target]),
    {
      stdio: 'ignore',
      // ffmpeg gets none of the service's variables.
      env: { PATH: process.env.PATH },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      killSignal: 'SIGKILL',
    },
  );
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
