import { readFileSync } from 'node:fs';

/** Of a process on Linux; zeros elsewhere. */
export function resourcesOf(pid: number): { peakRssMb: number; cpuSeconds: number } {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return {
      peakRssMb: Math.round(Number(peak) / 1_024),
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    };
  } catch {
    return { peakRssMb: 0, cpuSeconds: 0 };
  }
}
