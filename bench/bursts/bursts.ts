import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expecting } from '../harness/connection.ts'
import { atMost, median, quantile, type Row } from '../harness/figures.ts'
import type { Fixture } from '../harness/fixture.ts'
import { openLoop } from '../harness/load.ts'
import { openConnections } from '../harness/pair.ts'
import type { Running } from '../harness/processes.ts'
import { checkOf } from '../tokens.ts'
import type { Burst, BurstCounts } from './burst-process.ts'
import { type Kind, kindsOf } from './requests.ts'

const CHECKS_PER_SECOND = 1_000
const CHECK_LINES = 64
/** More than any class has room for, in progress and in line: the rest is shed. */
const BURST_LINES = 400
const WORST_P99_MS = 25
/** The memory has to be back after this long. */
const BACK_SECONDS = 60
/** The growth of memory that may stay: code and data that were loaded and remembered for the first time. */
const MAY_STAY = 1.25

export interface BurstPlace {
  fixture: Fixture
  service: Running
  seconds: number
  turns: number
}

/** Measures the effect of a burst of each class on checks at a steady rate, and on the memory. */
export async function measureBursts({ fixture, service, seconds, turns }: BurstPlace): Promise<Row[]> {
  const requests = (await fixture.sessionTokens(0, 1_000)).map(checkOf)
  const lines = await openConnections(service.port, CHECK_LINES)
  const ask = () => openLoop(lines, { requests, perSecond: CHECKS_PER_SECOND, seconds, accept: expecting('"authenticated":true') })
  const kinds = await kindsOf(fixture, service.port)
  await ask()
  const before = service.residentMb()
  const calm = quantile(await ask(), 0.99)
  const rows: Row[] = []
  let largest = before
  for (const [name, kind] of Object.entries(kinds)) {
    const p99s: number[] = []
    const counts = { served: 0, shed: 0, seconds: 0, p99Ms: 0, longestMs: 0 }
    for (let turn = 0; turn < turns; turn++) {
      const burst = await startBurst(service.port, kind)
      await sleep(500)
      const from = performance.now()
      p99s.push(quantile(await ask(), 0.99))
      largest = Math.max(largest, service.residentMb())
      counts.seconds += (performance.now() - from) / 1000 + 0.5
      const { served, shed, p99Ms, longestMs } = await burst.stop()
      counts.served += served
      counts.shed += shed
      counts.p99Ms = Math.max(counts.p99Ms, p99Ms)
      counts.longestMs = Math.max(counts.longestMs, longestMs)
    }
    rows.push(rowOf(name, p99s, { calm, ...counts }))
  }
  await sleep(BACK_SECONDS * 1000)
  rows.push(memoryRow(before, largest, service.residentMb()))
  for (const line of lines) line.close()
  return rows
}

function rowOf(name: string, p99s: number[], counts: BurstCounts & { calm: number; seconds: number }): Row {
  const p99 = median(p99s)
  const each = (count: number) => `${(count / counts.seconds).toFixed(0)}/s`
  return {
    figure: `1,000 checks/s: p99 in a burst of ${name}, ${BURST_LINES} connections`,
    value: `**${p99.toFixed(1)} ms**`,
    target: atMost(WORST_P99_MS, p99, ' ms'),
    beside: `${p99s.map((ms) => ms.toFixed(1)).join(', ')}; calm ${counts.calm.toFixed(1)}; ${each(counts.served)} served, ${each(counts.shed)} shed; served within ${counts.p99Ms.toFixed(0)} ms (p99, the worst turn), an answer after ${counts.longestMs.toFixed(0)} ms at most`,
  }
}

function memoryRow(before: number, largest: number, after: number): Row {
  const [mb, most] = [(value: number) => `${value.toFixed(0)} MB`, before * MAY_STAY]
  return {
    figure: `memory ${BACK_SECONDS} s after the bursts`,
    value: `**${mb(after)}**`,
    target: { text: `≤ ${mb(most)}`, met: after <= most },
    beside: `resident; ${mb(before)} before them, ${mb(largest)} at most`,
  }
}

async function startBurst(port: number, { requests, signs }: Kind): Promise<{ stop(): Promise<BurstCounts> }> {
  const child = fork(fileURLToPath(new URL('burst-process.ts', import.meta.url)))
  const burst: Burst = { port, connections: BURST_LINES, requests: requests.map((each) => each.toString('base64')), signs }
  child.send(burst)
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`a burst ended with code ${code}`)
  })
  await Promise.race([once(child, 'message'), ended])
  return {
    async stop() {
      child.send('stop')
      const [counts] = (await Promise.race([once(child, 'message'), ended.then(() => [])])) as [BurstCounts | undefined]
      if (!counts) throw new Error('a burst ended without its counts')
      await ended
      return counts
    },
  }
}
