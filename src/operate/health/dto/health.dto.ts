/** Response of the probes. */
export class HealthDto {
  /** `ok` */
  status: string;
  /** Version of the service. */
  version: string;
  /** Faults in spite of which the process is ready. */
  problem?: string;
}
