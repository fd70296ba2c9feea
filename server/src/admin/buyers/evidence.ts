/**
 * Why a user may be the buyer of a purchase, the strongest reason first. `address`: it is the same, and not verified or unlinked;
 * `nearby_address`: one slip of a finger away; `mailbox_name`: the same before the `@`, at another domain.
 */
export const EVIDENCE = ['tax_id', 'address', 'nearby_address', 'phone', 'mailbox_name', 'name'] as const
export type Evidence = (typeof EVIDENCE)[number]

/** Gathers the evidence for several candidates, by their ids. */
export function createEvidence() {
  const because = new Map<string, Evidence[]>()
  const of = (id: string) => EVIDENCE.filter((evidence) => because.get(id)?.includes(evidence))
  return {
    add(ids: readonly (string | undefined)[], evidence: Evidence): void {
      for (const id of ids) {
        const known = because.get(id ?? '') ?? []
        if (id !== undefined && !isSaid(known, evidence)) because.set(id, [...known, evidence])
      }
    },
    ids: (): string[] => [...because.keys()],
    /** The evidence for one candidate, the strongest first. */
    of,
    /** The likeliest of `among` first, `limit` at most. */
    strongest(among: ReadonlySet<string>, limit: number): Array<readonly [id: string, because: Evidence[]]> {
      return [...among]
        .map((id) => [id, of(id)] as const)
        .sort(([, a], [, b]) => weight(b) - weight(a))
        .slice(0, limit)
    },
  }
}

/** Whether the evidence is known already, or follows from the known one: an address with a slip in the domain has the same mailbox name. */
function isSaid(known: readonly Evidence[], evidence: Evidence): boolean {
  return known.includes(evidence) || (evidence === 'mailbox_name' && known.includes('nearby_address'))
}

/** Each kind weighs more than all weaker ones together. */
function weight(because: readonly Evidence[]): number {
  return because.reduce((sum, evidence) => sum + 2 ** (EVIDENCE.length - EVIDENCE.indexOf(evidence)), 0)
}
