import type { Bill, Part, Party } from './bill.ts'
import { DAY } from './facts.ts'
import { END, type Making } from './making.ts'

const MINUTE = 60_000

/** What becomes of a bill's money, by chance. Answers when all of it was gone, if it was. */
export function reverse(making: Making, party: Party, bill: Bill): number | undefined {
  const { chance, moment } = making
  const latest = Math.min(END - 2 * MINUTE, (bill.until ?? END) + 15 * DAY)
  let last = bill.at
  /** Later than what was before. Undefined: too late. */
  const next = (): number | undefined => {
    if (last + MINUTE > latest) return undefined
    last = moment(last + MINUTE, chance.likely(0.3) ? Math.min(last + DAY / 4, latest) : latest)
    return last
  }
  const giveBack = (share: 'part' | 'rest', givenAt?: number): (Part & { at: number }) | undefined => {
    const open = bill.charges.filter(({ left }) => left > 0)
    const at = open.length > 0 ? (givenAt ?? next()) : undefined
    if (at === undefined) return undefined
    const charge = chance.pick(open)
    const amount = share === 'rest' ? charge.left : chance.between(1, Math.ceil(charge.left / 2))
    charge.left -= amount
    const part = { charge, amount, isRest: bill.charges.every(({ left }) => left === 0) }
    party.gaveBack(bill, at, part)
    return { at, ...part }
  }
  // The operator acts on what is known; and before a refund is known, nobody knows which one has failed.
  const fates = party.fates.filter((fate) => making.isPrompt || (fate !== 'operator' && fate !== 'failed_refund'))
  switch (chance.pick(fates)) {
    case 'parts': {
      const parts = Array.from({ length: chance.between(1, 3) }, () => giveBack(chance.likely(0.15) ? 'rest' : 'part'))
      return parts.find((part) => part?.isRest)?.at
    }
    case 'whole':
      return bill.charges.map(() => giveBack('rest')).at(-1)?.at
    case 'dispute': {
      if (chance.likely(0.4)) giveBack('part')
      const charge = chance.pick(bill.charges)
      const part = { charge, amount: chance.likely(0.4) ? chance.between(1, charge.amount) : charge.amount, isRest: false }
      const outcomes = chance.pick([[], ['won'], ['lost'], ['lost'], ['lost', 'won']] as const)
      const times = (['disputed', ...outcomes] as const).map((outcome) => {
        const at = next()
        if (at !== undefined) party.disputed(bill, at, part, outcome)
        return at
      })
      if (outcomes.length === 1 && chance.likely(0.3)) giveBack('part')
      return times[0]
    }
    case 'failed_refund': {
      giveBack('part')
      const failing = giveBack(chance.pick(['part', 'rest']))
      const at = next()
      if (!failing || at === undefined) return undefined
      failing.charge.left += failing.amount
      party.refundFailed?.(bill, at, failing)
      if (chance.likely(0.4)) giveBack('part')
      return undefined
    }
    case 'operator': {
      if (chance.likely(0.5)) giveBack('part')
      const end = Math.min(latest, bill.until ?? END)
      const at = moment(last + MINUTE, end - MINUTE)
      if (at > end) return undefined
      making.send('operator', at, { action: 'refund' }, { kind: 'given_back' })
      making.isPrompt = false
      last = at
      const reportedAt = chance.pick([undefined, at, next()])
      if (reportedAt !== undefined) giveBack(chance.pick(['part', 'rest']), reportedAt)
      return at
    }
  }
}
