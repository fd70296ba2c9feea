import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, it, type TestContext } from 'node:test'
import { onSqlite } from './support/databases.ts'
import { completed, notify, subscriptionsOf, WEBHOOK_SECRET, WEBHOOKS } from './support/gateways/purchases.ts'
import { startForSuite } from './support/service.ts'

/** The senders in `docs/purchases.md`, each with what runs it, how it writes text that is no Unicode, and what arrives of that. */
const HALF = { writes: '\\ud800', arrives: '\ud800' }
const BYTE = { writes: '\\xff', arrives: '\ufffd' }
const SENDERS = [
  {
    ...{ language: 'ts', title: 'TypeScript', file: 'send.mts', ...HALF },
    ...{ run: [process.execPath, '--disable-warning=ExperimentalWarning'], asks: '--version' },
  },
  { language: 'python', title: 'Python', file: 'send.py', run: ['python3'], asks: '--version', ...HALF },
  { language: 'php', title: 'PHP', file: 'send.php', run: ['php'], asks: '--version', ...BYTE },
  { language: 'go', title: 'Go', file: 'send.go', run: ['go', 'run'], asks: 'version', ...BYTE },
  { language: 'csharp', title: 'C#', file: 'send.cs', run: ['dotnet', 'run'], asks: '--version', ...HALF, literal: toEscapes },
  { language: 'java', title: 'Java', file: 'Send.java', run: ['java'], asks: '-version', ...HALF },
  { language: 'ruby', title: 'Ruby', file: 'send.rb', run: ['ruby'], asks: '--version', ...BYTE },
] as const

const SAMPLE = 'Ana Souza'
/** All that one language or another writes in a way of its own, as it stands between quotes in each of them. */
const AWKWARD = 'Zoë \\"Zô\\" d\\\\u2028 🎉 </script> & 1/2 <b>\u2028\u2029\u007f\u00a0'
const MEANT = AWKWARD.replaceAll('\\"', '"').replaceAll('\\\\', '\\')

const document = readFileSync(new URL('../../docs/purchases.md', import.meta.url), 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'portaria-senders-'))
after(() => rmSync(folder, { recursive: true, force: true }))

onSqlite('The programs in docs/purchases.md', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  // Node is always there. The others run where their language is: the document says when each was last run.
  for (const sender of SENDERS) {
    const { language, title, file, run, writes, arrives } = sender
    const [program, ...args] = run
    const write = (name: string, buyer: string) => {
      const code = blockWith(language, 'signature')
      assert.ok(code.includes(SAMPLE))
      const text = 'literal' in sender ? sender.literal(name) : name
      writeFileSync(path.join(folder, file), code.replaceAll(SAMPLE, () => text).replaceAll('ana@', `${buyer}@`))
    }
    const rowsOf = (buyer: string) =>
      service()
        .context.storage.db.selectFrom('notifications')
        .select(['event', 'status', 'payload'])
        .where('subject', '=', `${buyer}@example.com`)
        .orderBy('id')
        .execute()

    if (spawnSync(program, [sender.asks]).status !== 0) {
      it(`in ${title} are not run here, as ${program} is not on the path; the document has them`, () => {
        assert.match(blockWith(language, 'signature'), /payment\.refunded/)
      })
      continue
    }

    it(`in ${title} sends a purchase until it is received, the same text every time, and stops when it is refused`, async (context) => {
      write(AWKWARD, language)
      const busy = await startBusyProxy(context, service().url, ['answers 503', 'redirects', 'shows a page'])
      const send = (secret: string) => execute(program, [...args, file], { PORTARIA: busy.url, PORTARIA_WEBHOOK_SECRET: secret })
      assert.deepEqual(await send(WEBHOOK_SECRET), { code: 0, said: '' })
      assert.deepEqual(busy.answers, ['answers 503', 'redirects', 'shows a page', 200, 200])
      assert.equal(new Set(busy.bodies.slice(0, 4)).size, 1)
      const [bought, refunded] = await rowsOf(language)
      assert.deepEqual([bought?.event, bought?.status], ['purchase.completed', 'processed'])
      assert.equal(JSON.parse(bought?.payload ?? '').customer.name, MEANT)
      assert.deepEqual([refunded?.event, refunded?.status], ['payment.refunded', 'processed'])
      assert.deepEqual(
        (await subscriptionsOf(service(), `${language}@example.com`)).map(({ state }) => state),
        ['refunded'],
      )
      const refused = await send('another secret of theirs')
      assert.notEqual(refused.code, 0)
      assert.match(refused.said, /refused: 401 .*Assinatura invalida/)
      assert.deepEqual(busy.answers, ['answers 503', 'redirects', 'shows a page', 200, 200, 401])
    })

    it(`L16: in ${title} writes text that is no Unicode as the service reads it`, async (context) => {
      write(`Zoë ${writes}z`, `${language}.half`)
      const busy = await startBusyProxy(context, service().url, [])
      assert.deepEqual(await execute(program, [...args, file], { PORTARIA: busy.url, PORTARIA_WEBHOOK_SECRET: WEBHOOK_SECRET }), {
        code: 0,
        said: '',
      })
      const [bought] = await rowsOf(`${language}.half`)
      assert.equal(JSON.parse(bought?.payload ?? '').customer.name, `Zoë ${arrives}z`)
    })
  }

  it('in TypeScript lets a buyer in when both sides say so, and nobody when Portaria can not be asked', async () => {
    const { url, product } = service()
    const { product: shop, apiKey } = await product({ slug: 'livraria', audience: 'external', checkout: 'external' })
    assert.equal((await notify(url, completed({ email: 'bia@example.com', productId: shop.id }))).status, 200)
    writeFileSync(
      path.join(folder, 'ask.mts'),
      `${blockWith('ts', 'check-access')}\nconsole.log(await mayComeIn(JSON.parse(process.argv[2])))\n`,
    )
    const ask = (user: object, environment: object = {}) =>
      execute(process.execPath, ['--disable-warning=ExperimentalWarning', 'ask.mts', JSON.stringify(user)], {
        PORTARIA: url,
        API_KEY: apiKey,
        ...environment,
      })
    const bia = { id: 'u-1', verifiedEmail: 'bia@example.com', hasPaidHere: true }
    assert.deepEqual(await ask(bia), { code: 0, said: 'true\n' })
    assert.deepEqual(await ask({ ...bia, hasPaidHere: false }), { code: 0, said: 'false\n' })
    assert.deepEqual(await ask({ ...bia, id: 'u-2' }), { code: 0, said: 'false\n' })
    assert.deepEqual(await ask(bia, { PORTARIA: 'http://127.0.0.1:1' }), { code: 0, said: 'false\n' })
    assert.match((await ask(bia, { API_KEY: 'sk_wrong' })).said, /check-access: 401 .*invalid_api_key/)
  })
})

/** U+2028 ends a line of C#. */
function toEscapes(text: string): string {
  return text.replaceAll(/[\u2028\u2029\u007f\u00a0]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The one block of code in a language that holds a word. */
function blockWith(language: string, text: string): string {
  const blocks = [...document.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, of, code]) => of === language && code?.includes(text))
  assert.equal(blocks.length, 1, `${blocks.length} blocks in ${language} with ${text}`)
  return blocks[0]?.[2] ?? ''
}

type Turn = 'answers 503' | 'redirects' | 'shows a page'

/** Stands before the service and answers the first requests as one that can't just now. Where it redirects to is no Portaria. */
async function startBusyProxy(context: TestContext, url: string, turns: readonly Turn[]) {
  const [answers, bodies]: [(number | Turn)[], string[]] = [[], []]
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const headers = { location: '/away', connection: 'close' }
    if (request.url === '/away') return response.writeHead(200, headers).end('<p>We are back soon')
    const turn = turns[bodies.push(body) - 1]
    if (turn) {
      answers.push(turn)
      const status = { 'answers 503': 503, redirects: 302, 'shows a page': 200 }[turn]
      return response.writeHead(status, headers).end('<p>We are back soon')
    }
    const answer = await notify(url, body)
    answers.push(answer.status)
    return response.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(answer.body))
  }
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, answers, bodies }
}

/** Runs a program to its end; `said`: all that it printed. */
function execute(program: string, args: readonly string[], environment: object): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd: folder, env: { ...process.env, ...environment } }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, said: out + err }),
    )
  })
}
