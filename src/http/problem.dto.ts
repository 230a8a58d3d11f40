/** One field that was refused. */
export class FieldErrorDto {
  /** Path of the field, e.g. `config.limit`. */
  field: string;
  message: string;
}

/** RFC 9457 problem document. */
export class ProblemDto {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Path of the request. */
  instance: string;
  /** Stable, machine-readable name of the refusal. */
  code: string;
  /** Also in the `X-Request-Id` header. */
  request_id: string;
  /** Every field that is not valid; with `validation_failed` only. */
  errors?: FieldErrorDto[];
}
