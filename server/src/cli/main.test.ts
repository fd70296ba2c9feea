import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine, type Said } from '../../test/support/command-line.ts'

const home = mkdtempSync(path.join(tmpdir(), 'portaria-cli-'))
after(() => rmSync(home, { recursive: true, force: true }))
const portaria = commandLine({ url: `sqlite:${home}/unused/portaria.db` })

const VERBS = {
  user: ['create', 'list', 'show', 'set', 'set-password', 'disable', 'enable', 'revoke-sessions', 'delete'],
  product: ['create', 'list', 'show', 'set', 'add-key', 'revoke-key', 'rotate-webhook-key', 'gateway-matrix'],
  plan: ['set', 'list'],
  subscription: ['list', 'show', 'end', 'refund', 'unlink', 'move'],
  idp: ['add', 'list', 'test', 'remove'],
  outbox: ['list', 'show', 'retry', 'drop'],
  webhook: ['list', 'show', 'resolve', 'reprocess', 'test', 'sign'],
  token: ['create', 'list', 'revoke'],
  keys: ['list', 'rotate', 'revoke', 'rotate-master'],
  audit: ['list'],
  import: ['users'],
}
const COMMANDS = [
  ...Object.entries(VERBS).flatMap(([noun, verbs]) => verbs.map((verb) => `${noun} ${verb}`)),
  'migrate',
  'doctor',
  'backup',
  'restore',
  'setup-link',
]

describe('The command line', () => {
  it('explains every command, with an example and --json', async () => {
    for (const command of COMMANDS) {
      const said = await portaria(`${command} --help`)
      assert.equal(said.code, 0, command)
      assert.match(said.out, new RegExp(`^Usage: portaria ${command} `))
      assert.match(said.out, new RegExp(`Example:\n {2}\\$ portaria ${command}\\b`))
      assert.match(said.out, /^ +--json +/m)
      assert.equal(said.err, '')
    }
    assert.match((await portaria('serve --help')).out, /Example:\n/)
    const all = await portaria('--help')
    for (const noun of [...Object.keys(VERBS), 'serve', 'setup-link', 'migrate', 'doctor', 'backup', 'restore'])
      assert.match(all.out, new RegExp(`^ {2}${noun}[ |]`, 'm'))
  })

  it('answers requested help with exit code 0, whatever the process had set', async (context) => {
    const before = process.exitCode
    context.after(() => {
      process.exitCode = before
    })
    process.exitCode = 1
    for (const line of ['help', 'help user', 'user help', 'user help set', 'user --help', '--help'])
      assert.equal((await portaria(line)).code, 0, line)
  })

  it('answers what it does not understand with exit code 2 and one line that helps', async () => {
    const misunderstood: Array<[line: string, sentence: RegExp]> = [
      ['usr list', /unknown command 'usr' \(Did you mean user\?\) \(see: portaria --help\)/],
      ['constructor', /unknown command 'constructor'/],
      ['user lst', /unknown command 'lst' \(Did you mean list\?\) \(see: portaria user --help\)/],
      ['user list --limt 3', /unknown option '--limt' \(Did you mean --limit\?\) \(see: portaria user list --help\)/],
      ['user list --limit 0', /Expected a whole number, 1 to 1000/],
      ['user list --limit 1001', /Expected a whole number/],
      ['user list --limit ten', /Expected a whole number/],
      ['user list extra', /too many arguments/],
      ['user create --name Ana', /'--email <address>' not specified/],
      ['plan set --slug a --name A --price 99,00', /Expected whole centavos, as 9900 for R\$ 99,00/],
      ['user set ana@example.com --role king', /Expected owner, support, viewer, none/],
      ['product create --slug a --name A --audience public --checkout integrated', /Expected internal, external/],
      ['product create --slug a --name A --audience internal --checkout integrated --scopes read:all', /any of read:email read:profile/],
      ['idp add --id a --name A --issuer https://a.example --client-id x', /add --client-secret-stdin/],
      ['idp add --id a --name A --issuer https://a.example --client-id x --client-secret-stdin --audience y', /go together/],
      ['idp add --id a --name A --issuer https://a.example --client-id x --client-secret-stdin --accept-access-tokens', /go together/],
      ['idp add --id a --name A --issuer https://a.example --client-id x --client-secret geheim', /unknown option '--client-secret'/],
      ['outbox retry', /name one job by its id, or all dead letters with --all/],
      ['outbox retry 7 --all', /name one job by its id, or all/],
      ['outbox drop 7', /'--reason <text>' not specified/],
      ['keys revoke', /missing required argument 'kid'/],
      ['user show ana@example.com --id 7', /name one user/],
    ]
    for (const [line, sentence] of misunderstood) {
      const said = await portaria(line)
      assert.equal(said.code, 2, line)
      assert.equal(said.out, '')
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
    }
    for (const line of [[], ['user']]) {
      const said = await portaria(line)
      assert.equal(said.code, 2)
      assert.match(said.err, /^Usage: portaria/)
    }
    assert.ok(!existsSync(path.join(home, 'unused')), 'a misunderstood command opens nothing')
  })

  it('names every fault of the environment at once, one line each, and does nothing', async () => {
    const faulty = commandLine({ url: 'mysql://db' }, { PORT: 'http', PORTARIA_NONSENSE: '1' })
    for (const line of ['user list', 'migrate', 'backup x', 'restore x']) {
      const said = await faulty(line)
      assert.equal(said.code, 1)
      assert.deepEqual(
        said.err.split('\n').map((one) => one.split(':')[1]?.trim()),
        ['PORTARIA_NONSENSE', 'PORT', 'DATABASE_URL', undefined],
      )
    }
  })

  it('says in one line, without the password, that a database is away', async () => {
    const away = commandLine({ url: 'postgres://portaria:hidden-text@127.0.0.1:1/portaria' })
    const said = await away('user list')
    assert.equal(said.code, 1)
    assert.match(said.err, /^portaria: the database can't be used just now \([^\n]+\): check DATABASE_URL, then try again\n$/)
    const checked = await away('doctor')
    assert.equal(checked.code, 1)
    assert.match(checked.out, /^FAIL +database +can't be used/m)
    assert.ok(!`${said.err}${checked.out}`.includes('hidden-text'))
  })

  it('never lets stored text move the terminal', async () => {
    const own = commandLine({ url: `sqlite:${home}/own/portaria.db` })
    await own(['user', 'create', '--email', 'ana@example.com', '--name', 'Ana'])
    await own(['user', 'disable', 'ana@example.com', '--reason', 'see \u{1b}[2J\u{9b}31m\u{202e}'])
    const { out } = await own('audit list')
    assert.match(out, /reason: see/)
    for (const sign of ['\u{1b}', '\u{9b}', '\u{202e}']) assert.ok(!out.includes(sign))
  })

  it('runs as a program of its own, from the first command on an empty folder', async () => {
    const folder = mkdtempSync(path.join(home, 'program-'))
    const made = await launch(
      folder,
      ['user', 'create', '--email', 'ana@example.com', '--name', 'Ana', '--admin', '--password-stdin', '--json'],
      'a good password\n',
    )
    assert.equal(made.code, 0, made.err)
    assert.deepEqual([made.json.role, made.json.has_password], ['owner', true])
    assert.equal(made.err, '')
    assert.equal(statSync(path.join(folder, 'data', 'portaria.key')).mode & 0o777, 0o600)
    const listed = await launch(folder, ['user', 'list', '--json'])
    assert.equal(listed.json[0].id, made.json.id)
    assert.deepEqual([(await launch(folder, ['user', 'show', 'nobody'])).code, (await launch(folder, ['user', 'shw'])).code], [1, 2])
  })

  it('says all that the doctor found, though the process that reads the pages takes its time to end', async () => {
    const folder = mkdtempSync(path.join(home, 'doctor-'))
    assert.equal((await launch(folder, ['migrate'])).code, 0)
    const lasting = `import { closeSync } from 'node:fs'
      if (process.argv[1]?.endsWith('check-pages-process.ts')) process.on('exit', () => {
        closeSync(1), closeSync(2), Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
      })`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(lasting)}`
    const { code, out, err } = await launch(folder, ['doctor'], '', { NODE_OPTIONS })
    assert.deepEqual([code, err], [0, ''], out)
    assert.match(out, /^ok +pages +every page of the database can be read$/m)
  })
})

/** The real program in a folder of its own, without any setting of ours. */
function launch(folder: string, argv: string[], stdin = '', environment: Record<string, string> = {}): Promise<Said> {
  const program = fileURLToPath(new URL('../../bin/portaria.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder, env: { PATH: process.env.PATH, ...environment } })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.end(stdin)
  const { promise, resolve } = Promise.withResolvers<Said>()
  child.on('close', (code) => resolve({ code: code ?? -1, out, err, json: /^[[{]/.test(out) ? JSON.parse(out) : undefined }))
  return promise
}
