import { readFileSync } from 'node:fs';

/** Peak memory and processor time of a process so far; zeros after its end. Linux only; zeros elsewhere. */
export function resourcesOf(pid: number): { peakRssMb: number; cpuSeconds: number } {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return {
      peakRssMb: Math.round(Number(peak ?? 0) / 1_024),
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    };
  } catch {
    return { peakRssMb: 0, cpuSeconds: 0 };
  }
}

/** Resident memory of a process now, in megabytes. Linux only; 0 elsewhere. */
export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
