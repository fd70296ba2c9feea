import { setTimeout } from 'node:timers/promises'
import { type End, type Member, type Place, startMember } from './members.ts'
import type { FromChild, FromParent } from './messages.ts'
import { createMetricsRelay } from './metrics-relay.ts'
import type { createParentLog } from './parent-log.ts'
import { watchHung } from './watch-hung.ts'

/** The pause before an ended process is replaced: doubled with each that ends soon after its start. */
const BACK_OFF = { firstMs: 100, mostMs: 10_000 }
/** The most tries for one place, once another one has been replaced. They take half a minute: a failover is over by then. */
const MOST_STARTS = 10
/** A process that lived for so long did not end because of its start. */
const LIVED_MS = 60_000
/** Service managers kill after 30 s or more. */
const STOP_MS = 28_000
/** The time between two questions to a process whether it still answers. */
const PING_MS = 5_000

interface CrewDeps {
  count: number
  program: string
  log: ReturnType<typeof createParentLog>
  pingMs?: number
  mostStarts?: number
}

const pauseAfter = (failures: number) => Math.min(BACK_OFF.firstMs * 2 ** (failures - 1), BACK_OFF.mostMs)

/** The processes of one port: as many as `count`, except while one is being replaced. */
export function createCrew({ count, program, log, pingMs = PING_MS, mostStarts = MOST_STARTS }: CrewDeps) {
  const members = new Set<Member>()
  const staying = () => [...members].filter(({ isLeaving }) => !isLeaving)
  const serving = () => staying().filter(({ isServing }) => isServing)
  const relay = createMetricsRelay(serving)
  const watch = watchHung({ serving, pingMs, onHung: killHung })
  let damage: Extract<FromParent, { type: 'damage' }> | undefined
  let isStopping = false
  let renewal: 'none' | 'running' | 'asked_again' = 'none'
  /** Two processes for one place: the new one is not counted while the old one is there. */
  let handover: { old: Member; next: Member } | undefined
  let failures = 0

  function notifyAll(message: FromParent): void {
    for (const member of members) member.notify(message)
  }
  function notifyCount(): void {
    notifyAll({ type: 'processes', serving: serving().length, wanted: count })
  }
  function take(member: Member, message: FromChild): void {
    watch.answered(member)
    relay.take(member, message)
    if (message.type === 'serving') notifyCount()
    if (message.type === 'serving' && damage) member.notify(damage)
    if (message.type !== 'damage') return
    damage = message
    notifyAll(damage)
  }
  /** A new process whose place is still taken by the old one. */
  const isExtra = (member: Member) => handover?.next === member && !handover.old.isLeaving && members.has(handover.old)
  function start(place: Place): Member {
    const member = startMember(program, place, take)
    members.add(member)
    void member.ended.then((end) => {
      members.delete(member)
      watch.forget(member)
      relay.forget(member)
      notifyCount()
      if (isExtra(member)) log.write('warn', { process: member.pid, ...end }, 'a new process has ended before it served')
      else if (!member.isLeaving && !isStopping && (place === 'later' || member.isServing)) void replace(member, end)
    })
    return member
  }
  /** It takes no connections, but holds those that it has. Nobody waits for its end: a process that a disk holds up can't be killed. */
  function killHung(member: Member): void {
    log.write('error', { process: member.pid }, 'a process no longer answers: it is killed, and another takes its place')
    member.isLeaving = true
    notifyCount()
    member.kill('SIGKILL')
    fill()
  }
  async function replace({ pid, startedAt }: Member, end: End): Promise<void> {
    failures = performance.now() - startedAt < LIVED_MS ? failures + 1 : 1
    const pauseMs = pauseAfter(failures)
    log.write('warn', { process: pid, ...end, pauseMs }, 'a process has ended; another takes its place')
    await setTimeout(pauseMs)
    fill()
  }
  function fill(): void {
    while (!isStopping && staying().filter((member) => !isExtra(member)).length < count) start('later')
  }
  /** Asks it to end, once: to a process that is ending, one more signal may come from whoever manages all of them. */
  function leave(member: Member): void {
    if (member.isLeaving) return
    member.isLeaving = true
    notifyCount()
    member.kill('SIGTERM')
    void setTimeout(STOP_MS, undefined, { ref: false }).then(() => member.kill('SIGKILL'))
  }
  async function startInPlaceOf(old: Member, most: number): Promise<'begun' | 'ended' | 'not_due'> {
    const isDue = () => !isStopping && !old.isLeaving && members.has(old)
    for (let attempt = 1; isDue(); attempt++) {
      handover = { old, next: start('later') }
      const begun = await handover.next.begun
      handover = undefined
      if (begun !== 'ended') return 'begun'
      if (attempt === most) return 'ended'
      await setTimeout(pauseAfter(attempt), undefined, { ref: false })
    }
    return 'not_due'
  }
  async function replaceEach(): Promise<void> {
    // Where the first one can't start, its version is broken. Later, processes of two versions would be left, so it is tried again.
    let replaced = 0
    for (const old of staying()) {
      if (isStopping) return
      if (old.isLeaving || !members.has(old)) continue
      const started = await startInPlaceOf(old, replaced === 0 ? 1 : mostStarts)
      if (started === 'ended') {
        const about = { replaced, kept: staying().length - replaced }
        return log.write('error', about, 'a new process could not start: those that are running go on')
      }
      if (isStopping || started === 'not_due') continue
      leave(old)
      replaced++
      await Promise.race([old.ended, setTimeout(STOP_MS, undefined, { ref: false })])
    }
    log.write('info', { processes: serving().length }, 'all processes were replaced')
  }
  function kill(): void {
    for (const member of members) member.kill('SIGKILL')
  }
  return {
    start,
    fill,
    kill,
    /** Puts a new process in the place of each, one after the other, each once it listens; and again, where it was asked meanwhile. */
    async renew(): Promise<void> {
      if (isStopping) return
      const isRunning = renewal !== 'none'
      renewal = isRunning ? 'asked_again' : 'running'
      if (isRunning) return
      await replaceEach()
      const isAskedAgain = renewal === 'asked_again'
      renewal = 'none'
      fill()
      if (isAskedAgain) await this.renew()
    },
    /** Drains one after the other; the next begins when the one before has ended or has had its share of the time. */
    async stop(): Promise<void> {
      if (isStopping) return
      isStopping = true
      const shareMs = STOP_MS / 2 / Math.max(members.size, 1)
      void setTimeout(STOP_MS, undefined, { ref: false }).then(kill)
      for (const member of members) {
        leave(member)
        await Promise.race([member.ended, setTimeout(shareMs, undefined, { ref: false })])
      }
      await Promise.all([...members].map(({ ended }) => ended))
    },
  }
}
