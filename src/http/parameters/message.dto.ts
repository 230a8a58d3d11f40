/** Response of operations that only confirm. */
export class MessageDto {
  message: string;
}
