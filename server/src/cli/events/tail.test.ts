import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, it } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { isGenuine, startEventReceiver } from '../../../test/support/events/event-receiver.ts'
import { bring } from '../../../test/support/gateways/purchases.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { scriptOf } from '../../../test/support/users/admins.ts'

/** An hour ahead of the service's machine, and a further minute at the signal. */
const AHEAD = `let ahead = 3_600_000
const real = Date.now
Date.now = () => real() + ahead
process.on('SIGUSR2', () => { ahead += 60_000; process.stdout.write('jumped\\n') });`

/** The command as a process of its own, when it follows the events; `clock`: the machine's. */
async function startTail(service: TestService, options: string[], clock: 'right' | 'ahead' = 'right') {
  const { key } = await scriptOf(service, 'owner')
  const main = new URL('../main.ts', import.meta.url)
  const program = `${clock === 'ahead' ? AHEAD : ''} const { run } = await import('${main}'); process.exitCode = await run(process.argv.slice(1), { environment: process.env, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr })`
  const line = ['events', 'tail', ...options]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program, '--', ...line], {
    env: { PATH: process.env.PATH ?? '', PORTARIA_URL: service.url, PORTARIA_ADMIN_TOKEN: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  await until(() => said.includes('Ctrl-C ends it.') || child.exitCode !== null)
  return { child, said: () => said }
}

eachDatabase('events tail', (database) => {
  it('forwards each new event of a running service, signed with the secret that it shows, and leaves nothing at its end', async () => {
    const service = await startService(await database.fresh())
    const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
    const other = await service.product({ slug: 'outra', audience: 'external', checkout: 'external' })
    const receiver = await startEventReceiver()
    const { child, said } = await startTail(service, ['--forward-to', receiver.url, '--product', 'loja'])
    const secret = /whsec_\S+/.exec(said())?.[0] ?? assert.fail(said())
    const endpoints = async () => service.context.storage.db.selectFrom('event_endpoints').selectAll().execute()
    assert.deepEqual(
      (await endpoints()).map(({ disabled_reason }) => disabled_reason),
      ['operator'],
    )
    const buy = async (name: string, productId: string) => {
      const { email } = await service.user(`${name}@exemplo.com.br`)
      await bring(service, { kind: 'paid', email, productId, ref: name })
    }
    await buy('bia', other.product.id)
    await buy('ana', product.id)
    const types = ['access.granted', 'subscription.created']
    await until(() => types.every((type) => new RegExp(` ${type} .* 200 in \\d+ ms\n`).test(said())))
    for (const received of receiver.received)
      assert.deepEqual([received.event.data.product_id, isGenuine(received, secret)], [product.id, true])
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    assert.deepEqual([code, said().endsWith('Ended.\n')], [0, true], said())
    assert.deepEqual(await endpoints(), [])
    assert.deepEqual(receiver.types().toSorted(), types)
  })

  it('forwards each, whatever the clock of this machine says, and however long the receiver stands at a breakpoint', async () => {
    const service = await startService(await database.fresh())
    const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
    const receiver = await startEventReceiver()
    const tail = await startTail(service, ['--forward-to', receiver.url, '--product', 'loja'], 'ahead')
    const buy = async (name: string) => {
      const { email } = await service.user(`${name}@exemplo.com.br`)
      await bring(service, { kind: 'paid', email, productId: product.id, ref: name })
    }
    const stopped = Promise.withResolvers<() => void>()
    receiver.answers(() => (response) => stopped.resolve(() => response.writeHead(200).end()))
    await buy('ana')
    const goOn = await stopped.promise
    receiver.answers(() => ({ status: 200 }))
    await buy('bia')
    const recorded = () => service.context.storage.db.selectFrom('app_events').select('id').execute()
    await until(async () => (await recorded()).length === 4)
    const jumped = until(() => tail.said().includes('jumped'))
    tail.child.kill('SIGUSR2')
    await jumped
    goOn()
    await until(() => new Set(receiver.received.map(({ id }) => id)).size === 4)
    tail.child.kill('SIGINT')
    const [code] = await once(tail.child, 'close')
    assert.deepEqual([code, receiver.received.length], [0, 4], tail.said())
  })

  it('sends nothing to another machine unless told to, and says what its token lacks', async () => {
    const at = await database.fresh()
    const service = await startService(at)
    const viewer = (await scriptOf(service, 'viewer')).key
    const portaria = (line: string, token: string) =>
      commandLine(at, { PORTARIA_URL: service.url, ...(token && { PORTARIA_ADMIN_TOKEN: token }) })(`events tail --forward-to ${line}`)
    const here = 'http://localhost:4001/hooks'
    for (const [to, token, code, sentence] of [
      ['https://app.example.com/', viewer, 2, /no address of this machine/],
      ['http://169.254.169.254/', viewer, 2, /no address of this machine/],
      ['file:///etc/passwd', viewer, 2, /expects an address/],
      [here, '', 1, /set PORTARIA_ADMIN_TOKEN/],
      [here, viewer, 1, /it needs the role owner/],
      [here, 'adm_wrong', 1, /does not take PORTARIA_ADMIN_TOKEN/],
      [`${here} --service http://localhost:1`, viewer, 1, /can't be reached/],
    ] as const) {
      const { code: ended, err } = await portaria(to, token)
      assert.deepEqual([ended, sentence.test(err)], [code, true], `${to}: ${err}`)
    }
    assert.deepEqual(await service.context.storage.db.selectFrom('event_endpoints').selectAll().execute(), [])
  })
})
