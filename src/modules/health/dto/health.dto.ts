export class HealthDto {
  /** `ok` */
  status: string;
}
