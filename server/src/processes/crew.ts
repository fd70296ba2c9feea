import { setTimeout } from 'node:timers/promises'
import { type Member, type Place, startMember } from './members.ts'
import { createMetricsRelay, notify } from './metrics-relay.ts'
import type { createParentLog } from './parent-log.ts'

/** The pause before an ended process is replaced: doubled with each that ends soon after its start. */
const BACK_OFF = { firstMs: 100, mostMs: 10_000 }
/** A process that lived for so long did not end because of its start. */
const LIVED_MS = 60_000
/** Service managers kill after 30 s or more. */
const STOP_MS = 28_000

interface CrewDeps {
  count: number
  program: string
  log: ReturnType<typeof createParentLog>
}

/** The processes of one port: as many as `count`, except while one is being replaced. */
export function createCrew({ count, program, log }: CrewDeps) {
  const members = new Set<Member>()
  const staying = () => [...members].filter(({ isLeaving }) => !isLeaving)
  const serving = () => staying().filter(({ isServing }) => isServing)
  const relay = createMetricsRelay(() => serving().map(({ child }) => child))
  let isStopping = false
  let isRenewing = false
  let failures = 0

  function notifyCount(): void {
    for (const { child } of members) notify(child, { type: 'processes', serving: serving().length, wanted: count })
  }
  function start(place: Place): Member {
    const member = startMember(program, place, (message) => {
      if (message.type === 'serving') notifyCount()
      else relay.take(member.child, message)
    })
    members.add(member)
    void member.ended.then((end) => {
      members.delete(member)
      relay.forget(member.child)
      notifyCount()
      if (!member.isLeaving && !isStopping && (place === 'later' || member.isServing)) void replace(member, end)
    })
    return member
  }
  async function replace({ child, startedAt }: Member, { code, signal }: Awaited<Member['ended']>): Promise<void> {
    failures = performance.now() - startedAt < LIVED_MS ? failures + 1 : 1
    const pauseMs = Math.min(BACK_OFF.firstMs * 2 ** (failures - 1), BACK_OFF.mostMs)
    log.write('warn', { process: child.pid, code, signal, pauseMs }, 'a process ended by itself; another takes its place')
    await setTimeout(pauseMs)
    if (!isRenewing) fill()
  }
  function fill(): void {
    while (!isStopping && staying().length < count) start('later')
  }
  function leave(member: Member): void {
    member.isLeaving = true
    notifyCount()
    member.child.kill('SIGTERM')
  }
  async function replaceEach(): Promise<void> {
    for (const old of staying()) {
      if (isStopping) return
      if (!members.has(old)) continue
      const next = start('later')
      if ((await next.begun) === 'ended') return log.write('error', {}, 'a new process could not start: those that are running go on')
      leave(old)
      await old.ended
    }
    log.write('info', { processes: serving().length }, 'all processes were replaced')
  }
  function kill(): void {
    for (const { child } of members) child.kill('SIGKILL')
  }
  return {
    start,
    fill,
    kill,
    /** Puts a new process in the place of each, one after the other, each once it listens. Does nothing while it does so. */
    async renew(): Promise<void> {
      if (isRenewing || isStopping) return
      isRenewing = true
      await replaceEach()
      isRenewing = false
      fill()
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
