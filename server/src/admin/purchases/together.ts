interface Named {
  at: number
  names: readonly string[]
}

/** Groups of what shares a name, directly or by others, each in the order of time. Groups stand in the order of their first member. */
export function together<T extends Named>(all: readonly T[]): T[][] {
  const parents = all.map((_, i) => i)
  const rootOf = (i: number): number => {
    let root = i
    while (parents[root] !== root) root = parents[root] ?? root
    for (let at = i; at !== root; ) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  const first = new Map<string, number>()
  for (const [i, { names }] of all.entries())
    for (const name of names) {
      const other = first.get(name)
      if (other === undefined) first.set(name, i)
      else {
        const [a, b] = [rootOf(other), rootOf(i)]
        parents[Math.max(a, b)] = Math.min(a, b)
      }
    }
  const groups = new Map<number, T[]>()
  for (const [i, one] of all.entries()) {
    const root = rootOf(i)
    const group = groups.get(root)
    if (group) group.push(one)
    else groups.set(root, [one])
  }
  return [...groups.values()].map((group) => group.sort((a, b) => a.at - b.at))
}
