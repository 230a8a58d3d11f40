/** Who has signed in: the address of an account, or the beginning of a key. */
export const SignerName = ({ name }: { name: string }) =>
  name.includes('@') ? <span>{name}</span> : <span className="font-mono text-[13px]">{name}…</span>;
