/** The query of operations without query parameters; any parameter is refused by name. */
export class NoQueryDto {}
