import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Writable } from 'node:stream'
import { after, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { commandLine, MASTER_KEY } from '../../test/support/command-line.ts'
import { eachDatabase, eachDirection } from '../../test/support/databases.ts'
import { openTerminal } from '../../test/support/terminal.ts'
import { until } from '../../test/support/until.ts'
import { run } from './main.ts'

const program = fileURLToPath(new URL('../../bin/portaria.mjs', import.meta.url))
const BOLD = '\u{1b}[1m'
const RED = '\u{1b}[31m'
const GREEN = '\u{1b}[32m'
const CLEAR = '\r\u{1b}[K'

describe('A command at a terminal', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-terminal-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const url = `sqlite:${path.join(folder, 'portaria.db')}`
  const portaria = commandLine({ url })

  /** The screen of the real program at a terminal of its own. */
  const shown = async (line: string, environment: Record<string, string> = {}) => {
    const variables = { DATABASE_URL: url, PORTARIA_MASTER_KEY: MASTER_KEY, TERM: 'xterm-256color', ...environment }
    const terminal = openTerminal([program, ...line.split(' ')], { environment: variables, cwd: folder })
    await until(() => terminal.child.exitCode !== null)
    return terminal.screen()
  }

  it('has bold headings and coloured states, and none of it in a pipe, with NO_COLOR or where a terminal has no colours', async () => {
    await portaria(['user', 'create', '--email', 'ana@example.com', '--name', 'Ana'])
    const plain = (await portaria('user list')).out
    assert.ok(!plain.includes('\u{1b}'))
    const screen = await shown('user list')
    assert.ok(screen.includes(`${BOLD}EMAIL`), screen)
    assert.ok(screen.includes(`${GREEN}enabled`), screen)
    assert.equal(stripVTControlCharacters(screen), plain, 'the styles are all that differs')
    for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) assert.equal(await shown('user list', environment), plain)
    assert.ok((await shown('user show ana@example.com')).includes(`${BOLD}state`))
    assert.ok(!(await shown('user list --json')).includes('\u{1b}'))
    const forced = commandLine({ url }, { PORTARIA_MASTER_KEY: MASTER_KEY, FORCE_COLOR: '1' })
    assert.ok((await forced('user list')).out.includes(BOLD))
  })

  it('has a complaint that stands out, and a help with bold headings', async () => {
    const complaint = await shown('user show nobody@example.com')
    assert.ok(complaint.startsWith(`${BOLD}${RED}portaria:`), complaint)
    assert.match(stripVTControlCharacters(complaint), /^portaria: there is no such user: [^\n]+\n$/)
    assert.ok(!(await shown('user show nobody@example.com', { NO_COLOR: '1' })).includes(RED))
    const help = await shown('user list --help')
    assert.ok(help.includes(`${BOLD}Usage:`) && help.includes(`${BOLD}Example:`), help)
    assert.ok(!(await shown('user list --help', { NO_COLOR: '1' })).includes('\u{1b}'))
  })

  it('has times in the zone of the reports, with their difference from UTC; JSON stays in UTC', async () => {
    const created = async () => /^created at +(.+)$/m.exec((await portaria('user show ana@example.com')).out)?.[1] ?? ''
    const at = (await portaria('user show ana@example.com --json')).json.created_at
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const [zone, offset] of [
      ['America/Sao_Paulo', '-03:00'],
      ['Asia/Tokyo', '+09:00'],
      ['UTC', '+00:00'],
    ] as const) {
      assert.equal((await portaria(`report zone ${zone}`)).code, 0)
      const [, day, time, difference] = /^(\S+) (\S+) (\S+)$/.exec(await created()) ?? []
      assert.equal(difference, offset)
      assert.equal(Date.parse(`${day}T${time}${difference}`), Math.floor(Date.parse(at) / 1000) * 1000)
    }
  })
})

/** The text on standard error, as that of a terminal, while each look at the time is 0.6 s (`lookMs`) after the one before. */
async function saidOf(
  line: string,
  { context, isTTY, url, lookMs = 600 }: { context: TestContext; isTTY: boolean; url: string; lookMs?: number },
): Promise<string> {
  let at = 0
  const clock = context.mock.method(performance, 'now', () => (at += lookMs))
  const sink = () => {
    let text = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        text += chunk
        done()
      },
    })
    return { stream, text: () => text }
  }
  const [stdout, stderr] = [sink(), sink()]
  const keys = { PORTARIA_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'), PORTARIA_MASTER_KEY_PREVIOUS: MASTER_KEY }
  const streams = { stdout: stdout.stream, stderr: Object.assign(stderr.stream, { isTTY }) }
  const environment = { DATABASE_URL: url, PORTARIA_MASTER_KEY: MASTER_KEY, ...(line.includes('rotate-master') && keys) }
  const code = await run(line.split(' '), { environment: { ...environment, TERM: 'dumb' }, ...streams })
  clock.mock.restore()
  assert.equal(code, 0, stderr.text())
  return stderr.text()
}

/** After the last change of the line there are only lines of the command's own. */
function assertLineGoes(said: string): void {
  assert.match(said.slice(said.lastIndexOf(CLEAR) + CLEAR.length), /^(?:portaria: [^\n]+\n)*$/, said)
}

eachDatabase('A long command', (database) => {
  it('shows at a terminal how far it is and the time left, takes the line away, and says none of it elsewhere', async (context) => {
    const { url } = await database.fresh()
    const portaria = commandLine({ url })
    const numbers = ['52998224725', '11144477735', '39053344705', '12345678909']
    await portaria('plan set --slug pro --name Pro --price 100')
    for (const [n, number] of numbers.entries()) {
      await portaria(`user create --email u${n}@example.com --name U --verified`)
      assert.equal((await portaria(`user correct u${n}@example.com --tax-id ${number} --reason test`)).code, 0)
      assert.equal((await portaria(`subscription grant --user u${n}@example.com --plan pro --reason test`)).code, 0)
    }
    const folder = mkdtempSync(path.join(tmpdir(), 'portaria-lines-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    const file = path.join(folder, 'users.jsonl')
    writeFileSync(file, numbers.map((_, n) => `${JSON.stringify({ email: `v${n}@example.com`, name: 'V' })}\n`).join(''))
    assert.doesNotMatch(await saidOf('export users', { context, isTTY: false, url }), /left/)
    const long = {
      'export users': 'users',
      [`import users ${file} --dry-run`]: 'lines',
      'subscription rebuild --check': 'streams',
      'report zone America/Manaus': 'purchases counted',
      'keys rotate-master': 'values sealed',
    }
    for (const [line, things] of Object.entries(long)) {
      const said = await saidOf(line, { context, isTTY: true, url })
      const [before, first = ''] = said.split(CLEAR)
      assert.equal(before, '', line)
      assert.match(first, new RegExp(`^\\d ${things}, (?:\\d+ %, about \\d+ (?:s|min) left|100 %, nearly done)$`), line)
      assertLineGoes(said)
    }
  })
})

eachDatabase('The migrate command', (database) => {
  it('shows at a terminal which migration it is at, and takes the line away; elsewhere the lines are those of the service', async (context) => {
    const { url } = await database.empty()
    const [before, ...shown] = (await saidOf('migrate', { context, isTTY: true, url })).split(CLEAR)
    assert.deepEqual([before, shown.pop()], ['', ''])
    for (const line of shown) assert.match(line, /^applying \d{4}-\S+ \(\d+ of \d+\), \d+ (?:s|min) so far$/)
    assert.ok(shown.length > 10, `${shown.length}`)
    const again = await saidOf('migrate --fill-again', { context, isTTY: true, url, lookMs: 1_200 })
    assert.match(again, /filling again \d{4}-\S+ \(\d+ of \d+\), /)
    assertLineGoes(again)
    const piped = await saidOf('migrate', { context, isTTY: false, url: (await database.empty()).url })
    assert.match(piped, /^(?:portaria: bringing the tables up to date: \S+\n)+$/)
    assert.equal(await saidOf('migrate --fill-again', { context, isTTY: false, url }), '')
  })
})

describe('A doctor who waits for an answer', () => {
  it('says at a terminal who is asked, takes the line away before the result, and says none of it elsewhere', async () => {
    const slow = createServer((_request, response) => void setTimeout(() => response.end('{"status":"ok"}'), 1_700))
    slow.listen(0, '127.0.0.1')
    await once(slow, 'listening')
    after(() => slow.close())
    const address = slow.address()
    const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const folder = mkdtempSync(path.join(tmpdir(), 'portaria-asked-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    const environment = { DATABASE_URL: `sqlite:${path.join(folder, 'none.db')}`, PORTARIA_URL: base, NO_COLOR: '1' }
    const examined = async (isTTY: boolean) => {
      const written: string[] = []
      const sink = (name: string) =>
        new Writable({
          write(chunk, _encoding, done) {
            written.push(`${name} ${chunk}`)
            done()
          },
        })
      const stderr = Object.assign(sink('err'), { isTTY })
      assert.equal(await run(['doctor'], { environment, stdout: sink('out'), stderr }), 0)
      return written
    }
    const [shown, piped] = await Promise.all([examined(true), examined(false)])
    const [first = ''] = shown
    assert.ok(first.startsWith(`err ${CLEAR}asking the service at ${base}, `) && /, \d s so far$/.test(first), first)
    assert.equal(shown.at(-2), `err ${CLEAR}`)
    assert.match(shown.at(-1) ?? '', /^out [\s\S]*answers at /)
    assert.deepEqual(
      piped.filter((text) => text.startsWith('err')),
      [],
    )
  })
})

describe('A backup, putting it back, and reading every page of a database', () => {
  it('show at a terminal how much is copied or read, and what is done meanwhile; elsewhere neither', async (context) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'portaria-lines-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    const url = `sqlite:${path.join(folder, 'portaria.db')}`
    await commandLine({ url })('user create --email ana@example.com --name Ana')
    const database = new DatabaseSync(path.join(folder, 'portaria.db'))
    database.exec("insert into settings (name, value) values ('test', hex(randomblob(20000000)))")
    database.close()
    // Looked at after each millisecond, since 40 MB are copied in less than the usual time.
    const { setInterval: usual } = globalThis
    context.mock.method(globalThis, 'setInterval', (work: () => void) => usual(work, 1))
    const backup = (name: string) => `backup ${path.join(folder, name)}`
    const copied = await saidOf(backup('first.db'), { context, isTTY: true, url })
    assert.match(copied, /\d+ MB, (?:\d+ %, about \d+ s left|100 %, nearly done)/)
    assert.match(copied, /portaria: copied; the copy is being checked\n$/)
    const restored = await saidOf(`restore ${path.join(folder, 'first.db')}`, { context, isTTY: true, url })
    assert.match(restored, /^portaria: the backup is being checked, and copied\n/)
    assert.match(restored, /\d+ MB, /)
    assert.match(restored, /portaria: the copy is prepared; it is being checked, and put in its place\n/)
    assertLineGoes(restored)
    assert.equal(await saidOf(backup('second.db'), { context, isTTY: false, url }), '')
    assert.equal(await saidOf(`restore ${path.join(folder, 'second.db')}`, { context, isTTY: false, url }), '')
    const examined = await saidOf('doctor', { context, isTTY: true, url })
    if (process.platform === 'linux') assert.match(examined, /\d+ MB, \d+ s so far/)
    assertLineGoes(examined)
    assert.equal(await saidOf('doctor', { context, isTTY: false, url }), '')
  })
})

eachDirection('A long copy', (from, to) => {
  it('shows at a terminal how many rows are left, below a line for each table', async (context) => {
    const [here, there] = [await from.fresh(), await to.empty()]
    await commandLine(here)('user create --email ana@example.com --name Ana')
    const said = await saidOf(`copy --from ${here.url} --to ${there.url}`, { context, isTTY: true, url: here.url })
    assert.match(said, /\d+ rows, \d+ %, about \d+ s left/)
    assert.match(said, /portaria: copying users: 1 rows\n/)
    assertLineGoes(said)
  })
})
