/** Response of the probes. */
export class HealthDto {
  /** `ok` */
  status: string;
}
