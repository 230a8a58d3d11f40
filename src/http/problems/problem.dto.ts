/** One invalid field. */
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
  /** Stable, machine-readable name of the problem. */
  code: string;
  /** Also in the `X-Request-Id` header. */
  request_id: string;
  /** Invalid fields, at most 20; only with `validation_failed`. */
  errors?: FieldErrorDto[];
  /** Name of the exceeded quota; only with `quota_exceeded` and `too_many_concurrent_requests`. */
  quota?: string;
  /** Limit of the exceeded quota. */
  limit?: number;
  /** Usage of the exceeded quota. */
  used?: number;
}
