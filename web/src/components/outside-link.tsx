/** A link to a page of another site, which opens in a tab of its own. */
export function OutsideLink({ address, children }: { address: string; children: string }) {
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className="text-accent">
      {children} <span aria-hidden="true">↗</span>
    </a>
  );
}

/** Whether an address from a stranger's text may become a link: only http and https do. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
