import type { Member } from './members.ts'

/** Half a minute: a disk or a pause of the host holds a process up for seconds. */
const PINGS = 6

/**
 * Asks each process that serves, every `pingMs`, whether its event loop still turns, and hands the one that has left six questions in a row
 * unanswered to `onHung`. Questions are counted, not time: where the whole host stood still, this process asked nothing meanwhile.
 */
export function watchHung({ serving, pingMs, onHung }: { serving: () => Member[]; pingMs: number; onHung: (member: Member) => void }) {
  const unanswered = new Map<Member, number>()
  setInterval(() => {
    for (const member of serving()) {
      const count = unanswered.get(member) ?? 0
      unanswered.set(member, count + 1)
      if (count === PINGS) onHung(member)
      else member.notify({ type: 'ping' })
    }
  }, pingMs).unref()
  return {
    /** The process has sent a message, whichever it is. */
    answered: (member: Member) => void unanswered.delete(member),
    forget: (member: Member) => void unanswered.delete(member),
  }
}
