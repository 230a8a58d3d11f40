/** For operations without query parameters: any that is sent is refused by name. */
export class NoQueryDto {}
