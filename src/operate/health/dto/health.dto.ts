/** Response of the probes. */
export class HealthDto {
  /** `ok` */
  status: string;
  /** Version of the service. */
  version: string;
  /** What does not work although the process is ready. */
  problem?: string;
}
