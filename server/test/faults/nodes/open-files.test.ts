import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eachDurableDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const OPEN_FILES = 128
const MOST = OPEN_FILES - 56
const STRANGERS = 200

eachDurableDatabase('A process that may open few files', (database) => {
  it('F16: answers 503 to connections beyond its limit, says so once, and goes on with its database and its clients', async () => {
    const hand = await startService(await database.fresh())
    const port = await freePort()
    const server = await startServer(environmentBeside(hand, { port }), { openFiles: OPEN_FILES })
    const open = (sent: string) => {
      const socket = connect({ port, host: 'localhost' }).on('error', () => {})
      const answer = { text: '', isClosed: false }
      socket.on('data', (chunk) => (answer.text += chunk))
      socket.on('close', () => (answer.isClosed = true))
      socket.write(sent)
      return { socket, answer }
    }
    const sockets: Socket[] = []
    try {
      const kept = Array.from({ length: MOST }, () => open('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'))
      sockets.push(...kept.map(({ socket }) => socket))
      await until(() => kept.every(({ answer }) => answer.text.includes(' 200 ')))
      const half: ReturnType<typeof open>[] = []
      for (let n = 0; n < STRANGERS; n++) {
        half.push(open('GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: b'))
        if (n % 20 === 0) await sleep(20)
      }
      sockets.push(...half.map(({ socket }) => socket))
      await until(() => half.filter(({ answer }) => answer.isClosed).length >= STRANGERS - MOST)
      assert.ok(kept.filter(({ answer }) => answer.isClosed).length >= MOST - 8, 'idle connections make room')
      const answered = half.filter(({ answer }) => answer.text !== '').map(({ answer }) => answer.text)
      assert.ok(answered.length > 0)
      for (const text of answered) assert.match(text, /^HTTP\/1\.1 503 .*\r\nretry-after: \d/is)
      assert.equal(server.log().match(/connections are refused/g)?.length, 1)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await until(
      async () =>
        (
          await server
            .browser()
            .get('/readyz')
            .catch(() => undefined)
        )?.status === 200,
    )
    assert.doesNotMatch(server.log(), /EMFILE|"level":"error"/)
    const { text } = await server.browser().get('/metrics')
    assert.ok(Number(/^portaria_connections_refused_total (\d+)$/m.exec(text)?.[1]) >= STRANGERS - MOST - 8)
  })
})
