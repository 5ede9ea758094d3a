/** Resource usage of a process, from Linux's /proc. */
import { existsSync, readFileSync } from 'node:fs';

export interface Cpu {
  readonly processMs: number;
  readonly mainThreadMs: number;
}

/** USER_HZ is 100 on every Linux that Node runs on; so the resolution is 10 ms. */
const MS_PER_TICK = 10;

export function readCpu(pid: number): Cpu {
  return { processMs: cpuOf(`/proc/${pid}/stat`), mainThreadMs: cpuOf(`/proc/${pid}/task/${pid}/stat`) };
}

/** Resident memory in megabytes: current and peak. */
export function readMemory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Bytes that a process has caused to be written to the disk. */
export function readWritten(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** Processor time of a process since its start, in ms; 0 if it has ended. */
export function readProcessMs(pid: number): number {
  return existsSync(`/proc/${pid}`) ? cpuOf(`/proc/${pid}/stat`) : 0;
}

/** User and system time: fields 14 and 15 of proc_pid_stat(5), counted behind the name, which may hold spaces. */
function cpuOf(file: string): number {
  const text = readFileSync(file, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
