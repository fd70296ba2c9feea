import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { it } from 'node:test'
import { hiddenFlow } from '../../support/browser.ts'
import { eachDurableDatabase } from '../../support/databases.ts'
import { isLive } from '../../support/faults/actions.ts'
import { askOnNewConnection } from '../../support/faults/new-connection.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentBeside, type ServerProcess, startServer } from '../../support/server-process.ts'
import { PASSWORD, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** Posts that each wait for their turn to check a password, so that they are in flight for a while. Answers when all have been sent. */
async function postAtOnce(server: ServerProcess, emails: readonly string[]) {
  const forms = await Promise.all(
    emails.map(async (email) => {
      const browser = server.browser()
      return { browser, fields: { flow: hiddenFlow((await browser.get('/login')).text), email, password: PASSWORD } }
    }),
  )
  const arriving = new Set<unknown>()
  const count = (message: unknown) => void arriving.add(message)
  subscribe('undici:request:bodySent', count)
  let answered = 0
  const posts = forms.map(({ browser, fields }) => browser.submit('/login', fields))
  for (const post of posts) post.then(() => answered++).catch(() => undefined) // what fails shows when all are awaited
  await until(() => arriving.size >= posts.length)
  unsubscribe('undici:request:bodySent', count)
  // Sent is not accepted: connections are accepted in their order, so once these are answered the others are in the server's hands.
  for (let n = 0; n < 2; n++) await askOnNewConnection(`${server.url}/healthz`)
  return { posts, already: answered }
}

eachDurableDatabase('A service that is asked to stop', (database) => {
  it('answers all that is in flight, says goodbye within seconds, loses nothing, and starts again', async () => {
    const port = await freePort()
    const hand = await startService(await database.fresh(), { environment: { PORTARIA_URL: `http://localhost:${port}` } })
    const users = await Promise.all(Array.from({ length: 12 }, (_, i) => hand.user(`pessoa${i}@exemplo.com.br`)))
    const environment = environmentBeside(hand, { port })
    await hand.stop()

    const server = await startServer(environment)
    const { posts, already } = await postAtOnce(
      server,
      [...users, ...users].map(({ email }) => email),
    )
    const from = performance.now()
    server.child.kill('SIGTERM')
    // The manager of a service sends it to each of its processes, and npm and the launcher pass theirs on.
    setTimeout(() => server.child.kill('SIGTERM'), 300)
    const answers = await Promise.all(posts)
    assert.ok(already < posts.length - 5, `${already} of ${posts.length} were answered before: nothing was in flight`)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([302]))
    assert.deepEqual(await server.exited, { code: 0, signal: null })
    assert.ok(performance.now() - from < 15_000, `it took ${Math.round(performance.now() - from)} ms`)
    assert.match(server.log(), /"stopped"/)
    assert.doesNotMatch(server.log(), /"level":"(error|fatal)"/)

    const again = await startServer(environment)
    for (const { headers } of answers)
      assert.equal(await isLive(again, /eg_session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''), true)
  })

  it('waits neither for a connection on which nothing has come, nor for a request that never ends', async () => {
    const port = await freePort()
    const hand = await startService(await database.fresh(), { environment: { PORTARIA_URL: `http://localhost:${port}` } })
    const environment = environmentBeside(hand, { port })
    await hand.stop()
    const server = await startServer(environment)
    const sockets = ['', 'POST /login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf'].map((text) => {
      const socket = connect(port, 'localhost')
      socket.on('error', () => {}).write(text)
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    await askOnNewConnection(`${server.url}/healthz`)
    server.child.kill('SIGTERM')
    assert.deepEqual(await server.exited, { code: 0, signal: null })
    assert.match(server.log(), /"stopped"/)
    for (const socket of sockets) socket.destroy()
  })
})
