import type { EventLoopTurn } from '../../common/event-loop-turn.js';

/** How often each two of numbered nodes are together; symmetric. */
export type Links = readonly ReadonlyMap<number, number>[];

/** Passes over the nodes of a level, which end when none moves. */
const MOST_PASSES = 50;

/**
 * Puts nodes together that are linked more than by chance (modularity, by the method of Louvain): the number of the
 * group of each. `inside` is what nodes that stand for several have among these.
 */
export async function communitiesOf(
  links: Links,
  turn: EventLoopTurn,
  inside = new Float64Array(links.length),
): Promise<Int32Array> {
  const moved = await movedNodes(links, inside, turn);
  const numbers = new Map([...new Set(moved)].map((group, at) => [group, at]));
  const groups = moved.map((group) => numbers.get(group)!);
  if (numbers.size === links.length) return groups;
  const merged = Array.from({ length: numbers.size }, () => new Map<number, number>());
  const within = new Float64Array(numbers.size);
  for (const [node, others] of links.entries()) {
    if (turn.isOver) await turn.next();
    const own = groups[node]!;
    within[own]! += inside[node]!;
    for (const [other, weight] of others) {
      const group = groups[other]!;
      if (group === own) within[own]! += weight;
      else merged[own]!.set(group, (merged[own]!.get(group) ?? 0) + weight);
    }
  }
  const above = await communitiesOf(merged, turn, within);
  return groups.map((group) => above[group]!);
}

/** Moves each node to the group of its neighbours that it belongs to most, until none moves. */
async function movedNodes(links: Links, inside: Float64Array, turn: EventLoopTurn): Promise<Int32Array> {
  const degrees = links.map((others, node) => [...others.values()].reduce((a, b) => a + b, inside[node]!));
  const all = degrees.reduce((a, b) => a + b, 0);
  const totals = Float64Array.from(degrees);
  const groups = Int32Array.from(links, (_, node) => node);
  let isMoving = all > 0;
  for (let pass = 0; isMoving && pass < MOST_PASSES; pass += 1) {
    isMoving = false;
    for (const [node, others] of links.entries()) {
      if (turn.isOver) await turn.next();
      const former = groups[node]!;
      const shared = new Map([[former, 0]]);
      for (const [other, weight] of others)
        shared.set(groups[other]!, (shared.get(groups[other]!) ?? 0) + weight);
      totals[former]! -= degrees[node]!;
      const gain = (group: number): number => shared.get(group)! - (degrees[node]! * totals[group]!) / all;
      let [best, most] = [former, gain(former)];
      for (const group of shared.keys()) if (gain(group) > most + 1e-12) [best, most] = [group, gain(group)];
      totals[best]! += degrees[node]!;
      isMoving ||= best !== former;
      groups[node] = best;
    }
  }
  return groups;
}
