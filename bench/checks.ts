import { setTimeout as sleep } from 'node:timers/promises'
import { askOnce, request } from './harness/connection.ts'
import { atLeast, atMost, type Row } from './harness/figures.ts'
import { makeFixture } from './harness/fixture.ts'
import { againstBare, type Rounds } from './harness/pair.ts'
import { startBaseline, startService } from './harness/processes.ts'
import { checkOf, measureFirstSight, measureRedemption } from './tokens.ts'

const IDLE_MS = 5_000
const MOST = 100_000

export async function measureChecks({ fresh, rounds }: { fresh: (name: string) => string; rounds: Rounds }): Promise<Row[]> {
  const fixture = await makeFixture(fresh('checks'), 20_000, 0, { sample: MOST })
  // The very first start of a version also compiles it; what is measured is every start after that one.
  const first = await startService(fixture.folder)
  await sleep(IDLE_MS + 2_000)
  await first.stop()
  const [service, baseline] = [await startService(fixture.folder), await startBaseline(fresh('baseline'))]
  await sleep(IDLE_MS)
  const atRest = service.residentMb()
  const check = checkOf
  const tokens = await fixture.sessionTokens(0, 10_000)
  const invalid = (tokens[0] ?? '').replace(/\.[^.]*$/, `.${'A'.repeat(86)}`)
  const shared = { service, baseline, rounds }
  const one = await againstBare('check, valid, 1 session', { ...shared, requests: [check(tokens[0])], sign: '"authenticated":true' })
  const many = await againstBare('check, valid, 10,000 sessions in turn', {
    ...shared,
    requests: tokens.map(check),
    sign: '"authenticated":true',
  })
  const most = await againstBare(`check, valid, ${MOST.toLocaleString('en')} sessions in turn`, {
    ...shared,
    requests: (await fixture.sessionTokens(0, MOST)).map(check),
    sign: '"authenticated":true',
  })
  const missing = await againstBare('check, no cookie', { ...shared, requests: [check(undefined)], sign: 'missing_session' })
  const forged = await againstBare('check, forged signature', { ...shared, requests: [check(invalid)], sign: 'invalid_session' })
  const page = await againstBare('`GET /login`', { ...shared, requests: [await loginPage(service.port)], sign: 'name="flow"' })
  const underLoad = service.residentMb()
  const redemption = await measureRedemption({ ...shared, fixture })
  await service.stop()
  const restarted = await startService(fixture.folder)
  const firstSight = await measureFirstSight({ ...shared, service: restarted, fixture })
  await Promise.all([restarted.stop(), baseline.stop()])
  await fixture.context.close()
  return [
    { ...one, target: atLeast(0.85, one.ratio) },
    { ...many, target: atLeast(0.92, many.cpuRatio, ' by CPU time') },
    { ...most, target: { text: 'at most 5 % below', met: most.ratio >= 0.95 * many.ratio } },
    missing,
    forged,
    { ...page, target: atLeast(0.25, page.ratio) },
    firstSight,
    redemption,
    {
      figure: 'memory at rest',
      value: `**${atRest.toFixed(0)} MB**`,
      target: atMost(115, atRest, ' MB'),
      beside: 'resident, 5 s after the start',
    },
    { figure: 'memory under load', value: `**${underLoad.toFixed(0)} MB**`, beside: 'resident, after the checks above' },
  ]
}

/** The page as a browser asks for it that has been there before. */
async function loginPage(port: number): Promise<Buffer> {
  const cookie = /__Host-portaria_flow=[^;]+/.exec(await askOnce(port, request('GET', '/login')))?.[0] ?? ''
  return request('GET', '/login', { cookie, accept: 'text/html', 'accept-language': 'pt-BR' })
}
