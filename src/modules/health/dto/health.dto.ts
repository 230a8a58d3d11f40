/** Response of the probes. */
export class HealthDto {
  /** `ok` */
  status: string;
  /** Version of the service. */
  version: string;
}
