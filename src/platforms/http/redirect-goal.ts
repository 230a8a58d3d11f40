/** The address to which a redirect from another one leads; null for none, and for one of another protocol. */
export function redirectGoal(location: string | null, from: string): URL | null {
  const goal = location !== null && URL.canParse(location, from) ? new URL(location, from) : null;
  return goal !== null && /^https?:$/.test(goal.protocol) ? goal : null;
}
