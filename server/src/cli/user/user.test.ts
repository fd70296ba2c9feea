import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import { PASSWORD, startService } from '../../../test/support/service.ts'
import { disableUser } from '../../admin/index.ts'
import { userStore } from '../../users/index.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/

eachDatabase('The user commands', (database) => {
  it('make an account and show it, with the fields of the API', async () => {
    const portaria = commandLine(await database.fresh())
    const made = await portaria(
      [
        'user',
        'create',
        '--email',
        ' Ana@Example.com',
        '--name',
        'Ana Souza',
        '--admin',
        '--verified',
        '--producer',
        '--beta',
        '--password-stdin',
        '--json',
      ],
      `${PASSWORD}\n`,
    )
    assert.equal(made.code, 0, made.err)
    assert.match(made.json.id, UUID)
    assert.deepEqual(
      [made.json.email, made.json.name, made.json.role, made.json.is_producer],
      ['ana@example.com', 'Ana Souza', 'owner', true],
    )
    assert.deepEqual(
      [made.json.beta, made.json.is_beta, made.json.has_password, made.json.live_sessions],
      [{ nda_accepted_at: null }, false, true, 0],
    )
    assert.ok(!Number.isNaN(Date.parse(made.json.verified_at)))
    for (const who of [['ana@example.com'], ['--email', 'ANA@example.com'], ['--id', made.json.id], [made.json.id]]) {
      assert.deepEqual((await portaria(['user', 'show', ...who, '--json'])).json, made.json)
    }
    const text = await portaria('user show ana@example.com')
    assert.match(text.out, /^email +ana@example\.com$/m)
    assert.match(text.out, /^beta user +yes, NDA not accepted yet$/m)
  })

  it('let a user sign in with exactly the password that was piped, one newline less, and with no other', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    const service = await startService(url)
    await portaria('user create --email ana@example.com --name Ana --verified --password-stdin', 'two lines\nand a space \r\n')
    const signIn = async (password: string) => (await service.browser().signIn('/login', { email: 'ana@example.com', password })).status
    const statuses = [await signIn('two lines\nand a space '), await signIn('two lines\nand a space'), await signIn('two lines')]
    assert.deepEqual(
      statuses.map((status) => status < 400),
      [true, false, false],
    )
    assert.equal((await portaria('user set-password ana@example.com --password-stdin', 'another password')).code, 0)
    const after = [await signIn('two lines\nand a space '), await signIn('another password')]
    assert.deepEqual(
      after.map((status) => status < 400),
      [false, true],
    )
  })

  it('make an account without a password, and say how to set one', async () => {
    const portaria = commandLine(await database.fresh())
    const made = await portaria('user create --email ana@example.com --name Ana')
    assert.equal(made.code, 0)
    assert.match(made.out, /an invitation .+ goes to ana@example\.com.+ the running service writes the mail to data\/mail\/\.$/m)
    assert.match(made.out, /user set-password ana@example\.com --password-stdin/)
    assert.equal((await portaria('user show ana@example.com --json')).json.has_password, false)
  })

  it('invite by mail whoever gets no password, once', async () => {
    const url = await database.fresh()
    const mailbox = await startMailbox()
    const environment = { PORTARIA_SMTP_URL: mailbox.url }
    const service = await startService(url, { environment })
    const portaria = commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url, ...environment })
    const made = await portaria('user create --email ana@example.com --name Ana')
    assert.match(made.out, /an invitation .+ goes to ana@example\.com, its link valid for 7 days\. The running service sends it\./)
    assert.match((await portaria('user create --email ana@example.com --name Ana')).err, /an account with this address exists/)
    await portaria('user create --email bia@example.com --name Bia --password-stdin', PASSWORD)
    service.clock.now = Date.now() // it stands still, and the command line's does not
    const link = linkIn(await mailbox.find('ana@example.com'), '/invitation')
    const ticket = new URL(link, service.url).searchParams.get('ticket') ?? ''
    assert.ok(ticket !== '' && !(made.out + (await portaria('audit list --json')).out).includes(ticket))
    const password = 'a password that Ana chose'
    assert.ok((await service.browser().submit('/invitation', { ticket, password })).status < 400)
    assert.ok((await service.browser().signIn('/login', { email: 'ana@example.com', password })).status < 400)
    assert.deepEqual(
      mailbox.mails.filter(({ text = '' }) => text.includes('/invitation?')).map(({ recipient }) => recipient),
      ['ana@example.com'],
    )
  })

  it("say that a product's plan is none of the operator's, where both could be meant", async () => {
    const portaria = commandLine(await database.fresh())
    await portaria('user create --email ana@example.com --name Ana')
    const plan = async () => /^plan +(.+)$/m.exec((await portaria('user show ana@example.com')).out)?.[1]
    assert.equal(await plan(), 'none')
    await portaria('product create --slug wiki --name Wiki --audience internal --checkout integrated')
    await portaria('plan set --slug mini --name Mini --price 900 --product wiki')
    const granted = await portaria('subscription grant --user ana@example.com --plan mini --product wiki --reason test')
    assert.equal(granted.code, 0, granted.err)
    assert.equal(await plan(), "none of the operator's; those of products stand below")
    await portaria('plan set --slug pro --name Pro --price 9900')
    await portaria('subscription grant --user ana@example.com --plan pro --reason test')
    assert.equal(await plan(), 'pro')
  })

  it('promise no mail in production without a mail server, where only a set password helps', async () => {
    const url = await database.fresh()
    const service = await startService(url)
    const portaria = commandLine(url, { PORTARIA_MASTER_KEY: MASTER_KEY, NODE_ENV: 'production' })
    const made = await portaria('user create --email ana@example.com --name Ana')
    assert.match(made.out, /no mail will be sent since PORTARIA_SMTP_URL is not set\. Set a password: +portaria user set-password ana@/)
    assert.deepEqual(await service.context.storage.db.selectFrom('outbox').selectAll().execute(), [])
    assert.deepEqual(await service.context.storage.db.selectFrom('tickets').selectAll().execute(), [])
  })

  it('change every field, and empty the optional ones', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria('user create --email ana@example.com --name Ana')
    const filled = await portaria([
      ...[
        'user',
        'set',
        'ana@example.com',
        '--name',
        'Ana Lima',
        '--avatar-url',
        'https://img.example.com/a.png',
        '--company-name',
        'Lima ME',
      ],
      ...['--rank-name', 'Gold', '--producer', '--beta', '--verified', '--role', 'support', '--json'],
    ])
    const { id, created_at, verified_at, ...rest } = filled.json
    assert.ok(id && created_at && verified_at)
    assert.deepEqual(rest, {
      external_id: null,
      email: 'ana@example.com',
      name: 'Ana Lima',
      role: 'support',
      disabled_at: null,
      deletion_due_at: null,
      is_producer: true,
      is_beta: false,
      beta: { nda_accepted_at: null },
      avatar_url: 'https://img.example.com/a.png',
      company_name: 'Lima ME',
      rank_name: 'Gold',
      phone: null,
      has_password: false,
      tax_id: null,
      second_factor: false,
      passkeys: 0,
      live_sessions: 0,
      plan_slug: null,
      subscriptions: [],
    })
    const empty = [
      '--avatar-url',
      '',
      '--company-name',
      '',
      '--rank-name',
      '',
      '--no-producer',
      '--no-beta',
      '--no-verified',
      '--role',
      'none',
      '--json',
    ]
    const { json } = await portaria(['user', 'set', 'ana@example.com', ...empty])
    const left = [json.avatar_url, json.company_name, json.rank_name, json.is_producer, json.beta, json.verified_at, json.role]
    assert.deepEqual(left, [null, null, null, false, null, null, null])
    assert.equal((await portaria('user set ana@example.com')).code, 2)
  })

  it('end the sessions of whoever is disabled, signed out everywhere or given a password, and say how many', async () => {
    const url = await database.fresh()
    const portaria = commandLine(url)
    const service = await startService(url)
    const actions = [
      ['user disable ana@example.com --reason gone --json', 'user enable ana@example.com'],
      ['user revoke-sessions ana@example.com --json'],
      ['user set-password ana@example.com --password-stdin --json'],
    ]
    await service.user('ana@example.com')
    for (const lines of actions) {
      const browser = service.browser()
      await browser.signIn('/login', { email: 'ana@example.com', password: PASSWORD })
      assert.equal((await portaria('user show ana@example.com --json')).json.live_sessions, 1)
      for (const line of lines) assert.equal((await portaria(line, PASSWORD)).code, 0, line)
      assert.equal((await portaria('user show ana@example.com --json')).json.live_sessions, 0, lines[0])
      await within2Seconds(async () => (await browser.get('/auth/check')).json().reason === 'invalid_session')
    }
    const [entry] = (await portaria('audit list --action user.disable --json')).json
    assert.deepEqual(
      [entry.actor, entry.reason, entry.target],
      ['operator:cli', 'gone', (await portaria('user show ana@example.com --json')).json.id],
    )
  })

  it('never take away the last enabled owner, however it is tried', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria('user create --email ana@example.com --name Ana --admin')
    await portaria('user create --email bia@example.com --name Bia --admin')
    await portaria('user disable bia@example.com')
    for (const line of [
      'user disable ana@example.com',
      'user delete ana@example.com',
      'user set ana@example.com --role viewer',
      'user set ana@example.com --role none',
    ]) {
      const said = await portaria(line)
      assert.equal(said.code, 1, line)
      assert.match(said.err, /^portaria: this is the last enabled owner: make another first.*\n$/)
    }
    assert.deepEqual((await portaria('audit list --target none --json')).json, [])
    assert.equal((await portaria('user set ana@example.com --role owner --rank-name Gold')).code, 0)
    await portaria('user enable bia@example.com')
    assert.equal((await portaria('user delete ana@example.com --json')).json.deleted, true)
    assert.equal((await portaria('user show ana@example.com')).code, 1)
  })

  it('leave one owner when two are removed at the same moment', async () => {
    const { context, user } = await startService(await database.fresh())
    for (let round = 0; round < 5; round++) {
      for (const name of ['ana', 'bia']) await user(`${name}${round}@example.com`, { admin: true })
      const owners = (await userStore(context.storage.db).list({ limit: 100 })).filter(({ disabledAt }) => disabledAt === undefined)
      assert.ok(owners.length >= 2)
      const done = await Promise.all(owners.map((owner) => disableUser(owner, undefined, { ...context, actor: 'operator:test' })))
      assert.equal(done.filter((one) => 'refusal' in one).length, 1)
    }
  })

  it('list accounts in pages, by the beginning of their address', async () => {
    const portaria = commandLine(await database.fresh())
    for (const name of ['ana', 'anita', 'bia', 'caio']) await portaria(`user create --email ${name}@example.com --name ${name}`)
    const first = (await portaria('user list --limit 3 --json')).json
    const rest = (await portaria(`user list --limit 3 --cursor ${first.at(-1).id} --json`)).json
    assert.deepEqual(
      [...first, ...rest].map(({ name }) => name),
      ['ana', 'anita', 'bia', 'caio'],
    )
    assert.deepEqual(
      (await portaria('user list --search AN --json')).json.map(({ name }: { name: string }) => name),
      ['ana', 'anita'],
    )
    assert.match((await portaria('user list --limit 3')).out, new RegExp(`--cursor ${first.at(-1).id}$`, 'm'))
    assert.match((await portaria('user list')).out, /^ID +EMAIL +NAME +ROLE +STATE\n/)
  })

  it('list those with the words of a name, a CPF, a phone or an id, as the admin API finds them', async () => {
    const portaria = commandLine(await database.fresh())
    for (const [email, name] of [
      ['ana@example.com', 'Ana Flávia Souza'],
      ['bia@example.com', 'Beatriz Souza'],
      ['caio@outro.example', 'Caio'],
    ] as const)
      await portaria(['user', 'create', '--email', email, '--name', name, '--verified'])
    const given = 'user correct bia@example.com --reason asked --json'.split(' ')
    const bia = await portaria([...given, '--tax-id', '529.982.247-25', '--phone', '+55 11 98765-4321'])
    assert.equal(bia.code, 0, bia.err)
    const found = async (search: string, ...more: string[]) =>
      (await portaria(['user', 'list', '--search', search, '--json', ...more])).json.map(
        ({ email }: { email: string }) => email.split('@')[0],
      )
    for (const [search, names] of Object.entries({
      souza: ['ana', 'bia'],
      'flavia sou': ['ana'],
      'ana@': ['ana'],
      'caio@outro.example': ['caio'],
      '529.982.247-25': ['bia'],
      '52998224725': ['bia'],
      '111.444.777-35': [],
      '(11) 98765-4321': ['bia'],
      '+5511987654321': ['bia'],
      [bia.json.id]: ['bia'],
      nobody: [],
    }))
      assert.deepEqual(await found(search), names, search)
    const [first] = (await portaria('user list --search souza --json')).json
    assert.deepEqual(await found('souza', '--limit', '1'), ['ana'])
    assert.deepEqual(await found('souza', '--limit', '1', '--cursor', first.id), ['bia'])
    assert.match((await portaria('user list --search nobody')).out, /^No user matches that\. /)
  })

  it('refuse what can’t be, in one line that says what to do', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria('user create --email ana@example.com --name Ana')
    const refused: Array<[line: string | string[], stdin: string, sentence: RegExp]> = [
      ['user create --email nobody --name Ana', '', /no email address/],
      [['user', 'create', '--email', 'b@example.com', '--name', ' '], '', /the name must be one line/],
      ['user create --email ANA@example.com --name Ana', '', /account with this address exists/],
      ['user create --email b@example.com --name B --password-stdin', 'short', /too short/],
      ['user create --email b@example.com --name B --password-stdin', 'x'.repeat(1_025), /too long/],
      ['user create --email b@example.com --name B --password-stdin', 'x'.repeat(500_000), /too long/],
      ['user set ana@example.com --avatar-url http://example.com/a.png', '', /https:\/\/ address/],
      ['user show nobody@example.com', '', /no such user/],
      ['user show 01a1fd54-3ff9-7717-aaf2-1b6364bdeeb8', '', /no such user/],
      ['user delete nobody@example.com', '', /no such user/],
    ]
    for (const [line, stdin, sentence] of refused) {
      const said = await portaria(line, stdin)
      assert.equal(said.code, 1, String(line))
      assert.equal(said.out, '')
      assert.match(said.err, sentence)
      assert.match(said.err, /^portaria: [^\n]+\n$/)
    }
    assert.equal((await portaria('user list --json')).json.length, 1)
  })

  it('never print or record a password, and take none as an argument', async () => {
    const portaria = commandLine(await database.fresh())
    const secret = 'wonderful-secret-of-ana'
    const said = [
      await portaria('user create --email ana@example.com --name Ana --password-stdin --json', secret),
      await portaria('user set-password ana@example.com --password-stdin', `${secret}-2`),
      await portaria('user show ana@example.com --json'),
      await portaria('audit list --json'),
    ]
    for (const { code, out, err } of said) assert.ok(code === 0 && !`${out}${err}`.includes(secret) && !/argon2/.test(out))
    assert.equal((await portaria(`user create --email b@example.com --name B --password ${secret}`)).code, 2)
    assert.equal((await portaria('user set-password ana@example.com')).code, 2)
  })
})

async function within2Seconds(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 2_000; !(await condition()); await sleep(50)) assert.ok(Date.now() < end, 'not within 2 seconds')
}
