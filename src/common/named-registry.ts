/** The known kinds of something, by name, in the order of registration. */
export class NamedRegistry<T extends { readonly name: string }> {
  /** The names of all entries. The same list for good, so that validators can keep it. */
  readonly names: string[] = [];
  private readonly entries: T[] = [];
  private readonly appliers: ((entry: T) => void)[] = [];

  /** `kind` names the entries in errors: `channel`. Throws when two entries have the same name. */
  constructor(
    private readonly kind: string,
    entries: readonly T[],
  ) {
    for (const entry of entries) this.register(entry);
  }

  /** All entries. */
  get all(): readonly T[] {
    return this.entries;
  }

  /** The entry with a name. Throws when there is none. */
  get(name: string): T {
    const entry = this.entries.find((one) => one.name === name);
    if (entry === undefined) throw new Error(`There is no ${this.kind} "${name}"`);
    return entry;
  }

  /** Calls `apply` for every entry, also for those that are added later. */
  each(apply: (entry: T) => void): void {
    this.entries.forEach(apply);
    this.appliers.push(apply);
  }

  /** Adds an entry before the service starts; the returned function removes it. Throws when its name is taken. */
  register(entry: T): () => void {
    if (this.names.includes(entry.name))
      throw new Error(`There are two entries ${this.kind} "${entry.name}"`);
    this.entries.push(entry);
    this.names.push(entry.name);
    for (const apply of this.appliers) apply(entry);
    return () => {
      this.entries.splice(this.entries.indexOf(entry), 1);
      this.names.splice(this.names.indexOf(entry.name), 1);
    };
  }
}
