import assert from 'node:assert/strict'
import type { TestDatabase } from '../databases.ts'
import { DAY } from './facts.ts'
import { type Figures, movesOf, reportOf } from './figures.ts'
import { openHarness, send } from './harness.ts'
import { makePurchases } from './histories.ts'
import { findUnlisted, repeatsOf } from './lists.ts'
import { BEGIN, chanceOf, END } from './making.ts'
import { figuresOfCsv, figuresOfJson, type PrintedReport } from './printed.ts'

const ZONES = ['America/Manaus', 'Pacific/Auckland', 'Asia/Calcutta', 'America/New_York', 'America/Santiago', 'Pacific/Kiritimati', 'UTC']
const USUAL_ZONE = 'America/Sao_Paulo'
const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11']
type Asked = PrintedReport & Parameters<typeof findUnlisted>[1] & { is_counting: boolean }

/** Of this month the lists behind the figures are compared as well. */
const WITH_LISTS = '2026-10'

/** How many purchases a seed has. */
const COUNT = 40

/**
 * Sends the purchases of a seed in time, with looks at the report of the month on the way, and at all months at the end, in two time zones.
 * Answers a line for each figure that is another than computed, and for each
 * list that comes to another. Of the purchases it may be `only` one that is sent.
 */
export async function replayPurchases(database: TestDatabase, seed: number, only?: number) {
  const harness = await openHarness(database)
  const { clock } = harness.service
  const chance = chanceOf(seed)
  const purchases = makePurchases(seed, COUNT, harness.ids).filter((_purchase, index) => only === undefined || index === only)
  const differences: string[] = []
  const compare = (title: string, computed: Figures, reported: Figures) => {
    for (const figure of new Set([...computed.keys(), ...reported.keys()])) {
      const [ours, theirs] = [computed.get(figure) ?? 0, reported.get(figure) ?? 0]
      if (ours !== theirs) differences.push(`${title}, ${figure}: ${theirs}, computed ${ours}`)
    }
  }
  const look = async (month: string, zone = USUAL_ZONE) => {
    const computed = reportOf(movesOf(purchases, clock.now), month, zone, clock.now)
    const ask = async () => (await harness.owner.get(`/reports/monthly?month=${month}`)).json<Asked>()
    let report = await ask()
    while (report.is_counting) report = await ask()
    assert.equal(report.time_zone, zone)
    for (const line of month === WITH_LISTS ? await findUnlisted(harness.owner, report, repeatsOf(purchases, clock.now, report)) : [])
      differences.push(`${month} in ${zone}, ${line}`)
    compare(`${month} at ${new Date(clock.now).toISOString()} in ${zone}`, computed, figuresOfJson(report))
    return computed
  }
  const looks = [1, 2, 3].map(() => ({ due: chance.between(BEGIN + 10 * DAY, END - 2 * DAY), sends: undefined, email: '' }))
  const sent = purchases.flatMap(({ email, deliveries }) => deliveries.map((sends) => ({ due: sends.due, sends, email })))
  for (const { due, sends, email } of [...sent, ...looks].sort((one, other) => one.due - other.due)) {
    clock.now = due
    if (sends) await send(harness, sends, email)
    else await look(new Date(due - 3 * 3_600_000).toISOString().slice(0, 7))
  }
  clock.now = END
  for (const month of MONTHS) {
    const computed = await look(month)
    // The command line has a clock of its own: by it these months are over, too.
    if (seed % 3 > 0 || month === '2026-11') continue
    const line = `report monthly --month ${month}`
    compare(`${line} --json`, computed, figuresOfJson((await harness.portaria(`${line} --json`)).json))
    compare(`${line} --csv`, computed, figuresOfCsv((await harness.portaria(`${line} --csv`)).out))
  }
  const time_zone = ZONES[seed % ZONES.length] ?? 'UTC'
  await harness.owner.send('PUT', '/reports/time-zone', { time_zone })
  for (const month of MONTHS) await look(month, time_zone)
  return { purchases, differences }
}
