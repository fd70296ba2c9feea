import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { wantPng, wantSvg } from '../../../test/support/routes/brand-files.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'

const SECRET = 'a-client-secret-that-nobody-sees'
const WHSEC = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const ENVIRONMENT = {
  PORTARIA_MASTER_KEY: MASTER_KEY,
  PORTARIA_URL: 'https://sso.example.com',
  PORTARIA_COOKIE_DOMAIN: 'example.com',
  GOOGLE: SECRET,
  IDP_GOOGLE_CLIENT_SECRET: SECRET,
  IDP_ENTRA_ID_CLIENT_SECRET: SECRET,
}

/** Everything that a file can say. */
const ALL = `
portaria: 1
appearance:
  name: " Cursos do João "
  accent: 1A4FD6
  reply_to: Ajuda@Cursos.example
  support_url: mailto:ajuda@cursos.example
  footer: null
reports: {time_zone: america/manaus}
plans:
  club: {name: "Clube: sócio", price: 3990, below_price: hold, gateway_refs: {stripe: [price_2, price_1], asaas: []}}
products:
  academy:
    name: Academia
    audience: external
    checkout: integrated
    scopes: [read:profile, read:email]
    requires: [phone, tax_id]
    foreigners: exempt
    query_key_allowed: false
    redirect_uris: [https://academy.example/cb, "https://academy.example/a?b=%C3%A7"]
    backchannel_logout_uri: https://academy.example/logout
    payment_methods: {pix: asaas, card: stripe}
    appearance: {name: Escola de João, terms_url: https://academy.example/termos}
    grace_days: {pix: 0}
    plans:
      gold: {name: Gold, price: 100}
    endpoints:
      crm: {url: "https://crm.example", types: [access.revoked, access.granted], description: CRM}
      again: {url: "https://crm.example/", types: [access.granted]}
  wiki:
    audience: internal
    checkout: integrated
    redirect_uris: [{uri: https://wiki.example.com/cb, trusted: true}, {uri: https://wiki.example.com/b, trusted: false}]
    openid: {kind: web, pkce: optional, id_token_alg: ES256, post_logout_uris: [https://wiki.example.com/out]}
    forward_auth: {access: plans, plans: [club], hosts: [wiki.example.com]}
identity_providers:
  google:
    issuer: https://accounts.google.com
    client_id: abc
    client_secret: {env: GOOGLE}
    authoritative_for: [Gmail.com, açaí.example]
  entra-id:
    {issuer: "https://login.example/x", client_id: d, client_secret: {env: GOOGLE}, access_token_audience: "api://x"}
endpoints:
  ops: {url: https://ops.example/hooks, types: [endpoint.disabled]}
`

eachDatabase('Settings in a file', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-config-'))
  after(() => rmSync(folder, { recursive: true }))
  let files = 0
  const fileOf = (text: string) => {
    const file = path.join(folder, `${files++}.yaml`)
    writeFileSync(file, text)
    return file
  }
  const installation = async (more: Record<string, string> = {}) => {
    const at = await database.fresh()
    const portaria = commandLine(at, { ...ENVIRONMENT, ...more })
    const apply = async (text: string, ...options: string[]) => {
      const applied = await portaria(['apply', fileOf(text), ...options, '--json'])
      assert.equal(applied.code, 0, applied.err)
      return applied.json
    }
    const diff = async (text: string, ...options: string[]) => {
      const { code, out } = await portaria(['diff', fileOf(text), ...options])
      return { code, lines: out.trimEnd().split('\n') }
    }
    return { at, portaria, apply, diff, refuse: (text: string, ...options: string[]) => portaria(['apply', fileOf(text), ...options]) }
  }

  it('is applied, found the same, and comes out again byte for byte, of an empty installation too', async () => {
    const one = await installation()
    const made = await one.apply(ALL)
    assert.deepEqual(
      made.products.map(({ slug, api_key: key }: Record<string, string>) => [slug, /^sk_/.test(key ?? '')]),
      [
        ['academy', true],
        ['wiki', true],
      ],
    )
    assert.equal(made.endpoints.filter(({ secret }: { secret: string }) => /^whsec_/.test(secret)).length, 3)
    assert.deepEqual(await one.diff(ALL), { code: 0, lines: ['All is as the file says.'] })
    const again = await one.apply(ALL)
    assert.deepEqual([again.same, again.products, again.endpoints], [true, [], []])
    const { out } = await one.portaria('export config')
    const two = await installation()
    await two.apply(out)
    assert.equal((await two.portaria('export config')).out, out)
    assert.equal((await two.diff(ALL)).code, 0)
    assert.ok(!out.includes(SECRET))
    const product = (await two.portaria('product show wiki --json')).json
    assert.deepEqual(product.forward_auth, { access: 'plans', plans: ['club'], hosts: ['wiki.example.com'] })
    assert.deepEqual([product.openid.pkce, product.openid.id_token_alg], ['optional', 'ES256'])
  })

  it('leaves alone what it does not name', async () => {
    const { apply, portaria } = await installation()
    await apply(ALL)
    const before = (await portaria('export config')).out
    await apply('portaria: 1\nproducts: {academy: {name: Escola, openid: null}}\nplans: {}')
    assert.equal((await portaria('export config')).out, before.replace('name: Academia', 'name: Escola'))
  })

  it('shows what goes away first, and a secret as nothing but another one', async () => {
    const { apply, diff } = await installation({ OTHER: 'another-secret-of-the-provider', WHSEC })
    await apply(ALL)
    const wanted = ALL.replace('https://academy.example/cb, ', 'https://academy.example/new, ')
      .replace('price: 3990', 'price: 4990')
      .replace('{pix: asaas, card: stripe}', '{boleto: asaas, card: stripe}')
      .replace('client_secret: {env: GOOGLE}', 'client_secret: {env: OTHER}')
      .replace('backchannel_logout_uri: https://academy.example/logout', 'backchannel_logout_uri: null')
      .replace('description: CRM', 'secret: {env: WHSEC}')
      .replace('  wiki:', '  shop: {audience: external, checkout: external}\n  wiki:')
    const { code, lines } = await diff(wanted)
    assert.equal(code, 1)
    assert.deepEqual(lines, [
      '- products.academy.redirect_uris: https://academy.example/cb',
      '- products.academy.backchannel_logout_uri: https://academy.example/logout',
      '- products.academy.payment_methods.pix: asaas',
      '~ plans.club.price: 3990 → 4990',
      '~ products.academy.endpoints.crm.secret: another secret',
      '~ identity_providers.google.client_secret: another secret',
      '+ products.academy.redirect_uris: https://academy.example/new',
      '+ products.academy.payment_methods.boleto: asaas',
      '+ products.shop',
    ])
    await apply(wanted)
    assert.equal((await diff(wanted)).code, 0)
  })

  it('answers 2 for what it can’t understand and 3 where the database can’t be reached', async () => {
    const { portaria } = await installation()
    for (const [text, says] of [
      ['portaria: 1\nproduct: {}', /:2: product: there is no such setting/],
      ['portaria: 1\nproducts:\n  wiki:\n    nmae: x', /:4: products\.wiki\.nmae: there is no such setting/],
      ['portaria: 1\nplans:\n  club: {price: 1.5}', /:3: plans\.club\.price: /],
      ['portaria: 1\nplans:\n  club: {price: 1}\n  club: {price: 2}', /:4: .*unique/i],
      ['portaria: 1\nplans: &a {}\nproducts: *a', /:3: aliases are not taken/],
      ['portaria: 1\nplans:\n  Club: {}', /:3: plans\.Club: lower-case/],
      ['portaria: 2', /:1: portaria: /],
      ['plans: {}', /portaria: /],
      ['portaria: 1\nidentity_providers:\n  g:\n    client_secret: s3cret', /:4: .+client_secret: a secret stands elsewhere/],
      ['portaria: [', /:1: /],
      ['portaria: 1\nplans: !!set {a}', /portaria: /],
      [`# ${'x'.repeat(1_000_001)}`, /larger than 1 MB/],
      ['', /the file: /],
    ] as const) {
      const said = await portaria(['diff', fileOf(text)])
      assert.deepEqual([said.code, said.out], [2, ''], text.slice(0, 60))
      assert.match(said.err, says, text.slice(0, 60))
      assert.ok(!said.err.includes('s3cret'))
      assert.equal((await portaria(['apply', fileOf(text)])).code, 2)
    }
    assert.equal((await portaria('diff nowhere.yaml')).code, 2)
    const away = commandLine({ url: 'postgres://nobody@127.0.0.1:1/none' }, ENVIRONMENT)
    assert.equal((await away(['diff', fileOf('portaria: 1')])).code, 3)
    const wrong = commandLine({ url: 'nonsense' }, ENVIRONMENT)
    assert.equal((await wrong(['diff', fileOf('portaria: 1')])).code, 2)
  })

  it('reads a file in the time of its length, and names the first hundred of its faults', async () => {
    const { portaria } = await installation()
    const keys = (of: (at: number) => string) => `portaria: 1\nplans:\n${Array.from({ length: 40_000 }, (_, at) => of(at)).join('\n')}`
    for (const [text, says] of [
      // An alias of aliases of aliases, and maps in maps, as deep as a file goes.
      [
        `portaria: 1\n${[...'abcdefgh'].map((name, at) => `${name}: &${name} [${at === 0 ? 'x' : `*${'abcdefgh'[at - 1]},`.repeat(9)}]`).join('\n')}`,
        /aliases/,
      ],
      [`portaria: 1\nplans: ${'{a: '.repeat(20_000)}`, /:2: /],
      [`portaria: 1\nplans: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, /:2: /],
      [keys((at) => ` p${at}: 1`), /plans\.p0: /],
      [keys(() => ' p: 1'), /:4: Map keys must be unique/],
      ['portaria: 1\n? {a: 1}\n: {}', /there is no such setting/],
    ] as const) {
      const from = process.cpuUsage()
      const said = await portaria(['diff', fileOf(text)])
      assert.deepEqual([said.code, said.out], [2, ''], text.slice(0, 60))
      assert.match(said.err, says, text.slice(0, 60))
      assert.ok(said.err.split('\n').length <= 101, text.slice(0, 60))
      // Of the CPU: a busy machine makes everything late.
      const { user } = process.cpuUsage(from)
      assert.ok(user < 8_000_000, `${text.slice(0, 60)}: ${user / 1000} ms`)
    }
  })

  it('names everything that can’t be, at its setting, and changes nothing', async () => {
    const { refuse, portaria, apply } = await installation()
    await apply(ALL)
    const before = (await portaria('export config')).out
    for (const [text, says] of [
      ['products: {shop: {name: x}}', [/products\.shop\.audience: something new needs it/, /products\.shop\.checkout: /]],
      ['products: {academy: {audience: internal}}', [/products\.academy\.audience: what is there keeps its own/]],
      ['identity_providers: {google: {issuer: https://evil.example}}', [/google\.issuer: what is there keeps/]],
      ['identity_providers: {google: {client_secret: {env: NOT_SET}}}', [/client_secret: the environment variable NOT_SET is not set/]],
      ['identity_providers: {google: {client_secret: {file: nowhere.txt}}}', [/client_secret: there is no file nowhere\.txt/]],
      [
        'plans: {club: {price: 1}}\nproducts: {academy: {redirect_uris: [ftp://x]}}',
        [/products\.academy: "ftp:\/\/x" can't be registered/],
      ],
      ['plans: {club: {name: ""}}', [/plans\.club: the name must be one line/]],
      ['products: {wiki: {forward_auth: {access: plans, plans: [none]}}}', [/products\.wiki: there is no plan "none"/]],
      ['products: {wiki: {forward_auth: {hosts: [wiki.evil.example]}}}', [/products\.wiki: "wiki\.evil\.example" is not below/]],
      [
        'products: {wiki: {redirect_uris: ["https://academy.example/cb"]}}',
        [/products\.wiki: https:\/\/academy\.example\/cb is registered/],
      ],
      ['endpoints: {ops: {url: "http://ops.example"}}', [/endpoints\.ops: the address must be https/]],
      ['endpoints: {ops: {secret: {env: GOOGLE}}}', [/endpoints\.ops: the secret must be whsec_/]],
    ] as const) {
      const said = await refuse(`portaria: 1\n${text}`)
      assert.deepEqual([said.code, said.out], [1, ''], said.err)
      for (const sentence of says) assert.match(said.err, sentence)
      assert.equal((await portaria('export config')).out, before, text)
    }
  })

  it('knows a thing by its name where the name is a word of the form, too', async () => {
    const { apply, diff, portaria } = await installation()
    for (const name of ['secret', 'client-secret', 'favicon', 'constructor', 'plans', 'products', 'endpoints']) {
      const file = (price: number, label: string) => `
portaria: 1
managed_by: ${name}
plans: {${name}: {name: ${label}, price: ${price}}}
products:
  ${name}:
    audience: internal
    checkout: integrated
    name: ${label}
    plans: {${name}: {name: ${label}, price: ${price}}}
endpoints: {${name}: {url: "https://${name}.example/", types: [access.granted], description: ${label}}}`
      assert.deepEqual(
        await diff(file(1, 'Um')),
        { code: 1, lines: [`+ products.${name}`, `+ plans.${name}`, `+ endpoints.${name}`] },
        name,
      )
      await apply(file(1, 'Um'))
      assert.equal((await diff(file(1, 'Um'))).code, 0, name)
      const { code, lines } = await diff(file(2, 'Dois'))
      assert.deepEqual([code, lines.length], [1, 6], `${name}: ${lines.join('\n')}`)
      await apply(file(2, 'Dois'))
      assert.equal((await diff(file(2, 'Dois'))).code, 0, name)
      assert.equal((await portaria(`product show ${name} --json`)).json.name, 'Dois')
    }
    const { out } = await portaria('export config')
    const two = await installation()
    await two.apply(out)
    assert.equal((await two.portaria('export config')).out, out)
  })

  it('moves addresses and hosts from one product to another, both ways at once', async () => {
    const { apply, portaria } = await installation()
    const file = (a: string, b: string) => `
portaria: 1
products:
  a: {audience: internal, checkout: integrated, redirect_uris: ["https://${a}.example.com/cb"], forward_auth: {hosts: [${a}.example.com]}}
  b: {audience: internal, checkout: integrated, redirect_uris: ["https://${b}.example.com/cb"], forward_auth: {hosts: [${b}.example.com]}}`
    await apply(file('one', 'two'))
    await apply(file('two', 'one'))
    assert.deepEqual((await portaria('product show a --json')).json.redirect_uris, [{ uri: 'https://two.example.com/cb', trusted: false }])
    assert.deepEqual((await portaria('product show b --json')).json.forward_auth.hosts, ['one.example.com'])
  })

  it('removes only with --prune, and only what the same manager has declared', async () => {
    const { apply, diff, refuse, portaria } = await installation()
    await apply(`managed_by: infra\n${ALL.trim()}`)
    await portaria('endpoint add https://by-hand.example/')
    const rest = 'portaria: 1\nmanaged_by: infra\nplans: {club: {price: 3990}}'
    const left = await diff(rest)
    assert.equal(left.code, 0)
    assert.ok(left.lines.includes('endpoints.ops was declared before and is not in the file; it stays.'))
    assert.equal((await portaria('endpoint list --json')).json.length, 4)
    assert.deepEqual((await diff(rest, '--prune')).lines.slice(0, 5), [
      '- identity_providers.entra-id',
      '- identity_providers.google',
      '- products.academy.endpoints.again',
      '- products.academy.endpoints.crm',
      '- endpoints.ops',
    ])
    assert.match((await refuse('portaria: 1\nplans: {club: {price: 1}}')).err, /plans\.club: it is managed by infra/)
    await apply(rest, '--prune')
    assert.deepEqual(
      (await portaria('endpoint list --json')).json.map(({ url }: { url: string }) => url),
      ['https://by-hand.example/'],
    )
    assert.deepEqual((await portaria('idp list --json')).json, [])
    // Purchases rest on products and plans: those stay, and say so.
    assert.ok((await diff(rest, '--prune')).lines.includes('products.wiki was declared before and is not in the file; it stays.'))
    await apply('portaria: 1\nplans: {club: {price: 1}}', '--take-over')
    assert.match((await refuse(rest)).err, /plans\.club: it is managed by config/)
  })

  it('keeps an entry of the audit log for each change, none for what is so already, and no secret anywhere', async () => {
    const { at, apply, portaria } = await installation({ WHSEC })
    await apply(ALL.replace('description: CRM', 'secret: {env: WHSEC}'))
    const actions = async () =>
      ((await portaria('audit list --json')).json as Array<{ action: string; actor: string }>).map(({ action }) => action)
    const first = await actions()
    assert.deepEqual(
      Object.fromEntries(Object.entries(Object.groupBy(first, (action) => action)).map(([action, all]) => [action, all?.length])),
      {
        'appearance.change': 2,
        'configuration.apply': 1,
        'endpoint.create': 3,
        'identity_provider.add': 2,
        'plan.set': 2,
        'product.change': 1,
        'product.create': 2,
        'product.set_forward_auth': 1,
        'product.set_grace': 1,
        'settings.set_time_zone': 1,
      },
    )
    await apply(ALL.replace('description: CRM', 'secret: {env: WHSEC}'))
    assert.equal((await actions()).length, first.length)
    const storage = await openStorage(parseDatabaseUrl(at.url) ?? assert.fail())
    for (const table of ['audit', 'settings', 'managed_settings', 'changes', 'event_endpoints', 'identity_providers'] as const) {
      const rows = JSON.stringify(await storage.db.selectFrom(table).selectAll().execute())
      assert.ok(!rows.includes(SECRET) && !rows.includes(WHSEC.slice(6)), table)
    }
    await storage.close()
  })

  it('is found changed by the doctor when somebody changes by hand what it declares', async () => {
    const { apply, portaria } = await installation()
    const seen = async () =>
      (await portaria('doctor --json')).json.checks
        .filter(({ name }: { name: string }) => name === 'settings')
        .map(({ message }: { message: string }) => message)
    assert.deepEqual(await seen(), [])
    await apply(ALL)
    assert.deepEqual(await seen(), ['as config has applied them'])
    await portaria('plan set --slug club --name Other --price 1')
    await portaria('product set academy --grace pix=3 --remove-uri https://academy.example/cb')
    const [said] = await seen()
    assert.match(said, /^changed since config applied its file: .*products\.academy\.redirect_uris, products\.academy\.grace_days\.pix/)
    assert.match(said, /plans\.club\.name/)
    await apply(ALL)
    assert.deepEqual(await seen(), ['as config has applied them'])
  })

  it('takes a secret from a file beside it', async () => {
    const { apply, diff } = await installation()
    writeFileSync(path.join(folder, 'secret.txt'), `${SECRET}\n`)
    const text = ALL.replaceAll('{env: GOOGLE}', '{file: secret.txt}')
    await apply(text)
    assert.equal((await diff(text)).code, 0)
    writeFileSync(path.join(folder, 'secret.txt'), 'another\n')
    assert.deepEqual((await diff(text)).lines, [
      '~ identity_providers.entra-id.client_secret: another secret',
      '~ identity_providers.google.client_secret: another secret',
    ])
  })

  it('sends no key and no variable of the service itself to a provider that a file names', async () => {
    const { refuse, portaria } = await installation({ PATH_OF_KEY: MASTER_KEY })
    const provider = (place: string) =>
      `portaria: 1\nidentity_providers: {evil: {name: Evil, issuer: "https://evil.example", client_id: x, client_secret: ${place}}}`
    writeFileSync(path.join(folder, 'portaria.key'), `${MASTER_KEY}\n`)
    writeFileSync(path.join(folder, 'hex.key'), Buffer.from(MASTER_KEY, 'base64').toString('hex').toUpperCase())
    writeFileSync(path.join(folder, 'environ'), `A=b\0PORTARIA_SMTP_URL=smtp://x\0`)
    for (const [place, says] of [
      ['{env: PORTARIA_MASTER_KEY}', /client_secret\.env: .+ none of the service’s own/],
      ['{env: PORTARIA_SMTP_URL}', /client_secret\.env: .+ none of the service’s own/],
      ['{env: DATABASE_URL}', /client_secret\.env: .+ none of the service’s own/],
      ['{env: PATH_OF_KEY}', /client_secret: this is the master key of the service/],
      ['{file: portaria.key}', /client_secret: this is the master key of the service/],
      ['{file: hex.key}', /client_secret: this is the master key of the service/],
      ['{file: environ}', /client_secret: environ is no secret/],
      ...(process.platform === 'linux'
        ? [['{file: /proc/self/environ}', /client_secret: \/proc\/self\/environ is no secret/] as const]
        : []),
    ] as const) {
      const said = await refuse(provider(place))
      assert.notEqual(said.code, 0, place)
      assert.match(said.err, says, place)
      assert.ok(!(said.out + said.err).includes(MASTER_KEY), place)
      const { out, err } = await portaria(['diff', fileOf(provider(place))])
      assert.ok(!(out + err).includes(MASTER_KEY), place)
    }
    assert.deepEqual((await portaria('idp list --json')).json, [])
  })

  it('compares logos by their content, brings them along, and finds one that is stored by the name that an export gives it', async () => {
    const { apply, diff, refuse, portaria } = await installation()
    writeFileSync(path.join(folder, 'logo.svg'), wantSvg())
    writeFileSync(path.join(folder, 'icon.png'), wantPng(32, 32))
    const text = `portaria: 1
appearance: {logo_light: {file: logo.svg}, favicon: {file: icon.png}}
products: {shop: {audience: external, checkout: external, appearance: {logo_light: {file: ./logo.svg}, logo_dark: {file: logo.svg}}}}`
    await apply(text)
    assert.equal((await diff(text)).code, 0)
    const beside = path.join(folder, 'moved')
    const { out } = await portaria(['export', 'config', '--images', beside])
    assert.match(out, /^ {2}logo_light: \{ file: [0-9a-f]{32}\.svg \}$/m)
    writeFileSync(path.join(beside, 'portaria.yaml'), out)
    const two = await installation()
    assert.equal((await two.portaria(['apply', path.join(beside, 'portaria.yaml')])).code, 0)
    assert.equal((await two.portaria('export config')).out, out)
    // Without its files an export is compared by their names, where the images are; elsewhere each is named.
    assert.equal((await diff(out)).code, 0)
    const three = await installation()
    assert.match((await three.refuse(out)).err, /products\.shop\.appearance\.logo_dark: there is no file [0-9a-f]{32}\.svg/)

    writeFileSync(path.join(folder, 'logo.svg'), wantSvg({ fill: '#7a1fa2' }))
    const { code, lines } = await diff(text)
    assert.equal(code, 1)
    assert.match(lines[0] ?? '', /^~ appearance\.logo_light: [0-9a-f]{32}\.svg → [0-9a-f]{32}\.svg$/)
    await apply('portaria: 1\nappearance: null\nproducts: {shop: {appearance: {logo_dark: null}}}')
    const left = (await portaria('export config --json')).json
    assert.equal(left.appearance, null)
    assert.match(left.products.shop.appearance.logo_light.file, /\.svg$/)
    assert.equal(left.products.shop.appearance.logo_dark, null)

    const before = (await portaria('export config')).out
    const stored: string = left.products.shop.appearance.logo_light.file
    writeFileSync(path.join(folder, 'script.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script/></svg>')
    writeFileSync(path.join(folder, 'wide.png'), wantPng(60, 20))
    writeFileSync(path.join(folder, 'large.svg'), wantSvg() + ' '.repeat(10_000_000))
    writeFileSync(path.join(folder, stored), 'no image')
    mkdirSync(path.join(folder, 'folder'))
    for (const [look, says] of [
      ['{logo_light: {file: script.svg}}', /^portaria: appearance\.logo_light: script\.svg: an SVG may draw and nothing else/],
      ['{logo_light: {file: large.svg}}', /appearance\.logo_light: large\.svg: .*200 KB/],
      ['{logo_light: {file: nowhere.svg}}', /appearance\.logo_light: there is no file nowhere\.svg/],
      ['{logo_light: {file: folder}}', /appearance\.logo_light: folder is no file/],
      [`{logo_light: {file: ${stored}}}`, /appearance\.logo_light: [0-9a-f]{32}\.svg: expects an SVG or a PNG/],
      ['{favicon: {file: wide.png}}', /appearance\.favicon: expects a square picture/],
      ['{logo_dark: {file: wide.png}}', /appearance\.logo_dark: expects a logo for the light scheme too/],
      ['{accent: "#ffd400"}', /appearance\.accent: text in this colour has a contrast of 1\.32:1/],
      ['{name: "a\\nb"}', /appearance\.name: expects one line/],
      ['{support_url: "javascript:alert(1)"}', /appearance\.support_url: expects an address/],
    ] as const) {
      const said = await refuse(`portaria: 1\nplans: {new: {name: New, price: 1}}\nappearance: ${look}`)
      assert.deepEqual([said.code, said.out], [1, ''], said.err)
      assert.match(said.err, says)
      assert.equal((await portaria('export config')).out, before, look)
    }
  })

  it('sets whose days those of reports are, and refuses a zone that there is not', async () => {
    const { apply, diff, refuse, portaria } = await installation()
    const zone = async () => (await portaria('report zone --json')).json.time_zone
    assert.match((await portaria('export config')).out, /^ {2}time_zone: America\/Sao_Paulo$/m)
    assert.deepEqual((await diff('portaria: 1\nreports: {time_zone: america/manaus}')).lines, [
      '~ reports.time_zone: America/Sao_Paulo → America/Manaus',
    ])
    await apply('portaria: 1\nmanaged_by: days\nreports: {time_zone: america/manaus}')
    assert.equal(await zone(), 'America/Manaus')
    assert.match((await refuse('portaria: 1\nreports: {time_zone: UTC}')).err, /reports: it is managed by days/)
    const unknown = await refuse('portaria: 1\nmanaged_by: days\nreports: {time_zone: Mars/Olympus}')
    assert.match(unknown.err, /reports\.time_zone: expects a name of the tz database/)
    assert.equal(await zone(), 'America/Manaus')
  })

  it('leaves the look of pages to the file that declares it', async () => {
    const { apply, diff, refuse, portaria } = await installation()
    await apply('portaria: 1\nmanaged_by: brand\nappearance: {name: Cursos}')
    assert.match((await refuse('portaria: 1\nappearance: {name: Other}')).err, /appearance: it is managed by brand/)
    const rest = await diff('portaria: 1\nmanaged_by: brand', '--prune')
    assert.ok(rest.lines.includes('appearance was declared before and is not in the file; it stays.'))
    await portaria('appearance set --name Escola --footer Ltda')
    assert.deepEqual((await diff('portaria: 1\nmanaged_by: brand\nappearance: {name: Cursos}')).lines, [
      '~ appearance.name: Escola → Cursos',
    ])
    assert.match(
      (await portaria('doctor --json')).json.checks.find(({ name }: { name: string }) => name === 'settings').message,
      /changed since brand applied its file: .*appearance\.name/,
    )
  })

  it('may be applied twice at once: the second finds all done', async () => {
    const { portaria } = await installation()
    await portaria('migrate')
    const file = fileOf(ALL)
    const both = await Promise.all([portaria(['apply', file, '--json']), portaria(['apply', file, '--json'])])
    assert.deepEqual(
      both.map(({ code, err }) => [code, err]),
      [
        [0, ''],
        [0, ''],
      ],
    )
    assert.deepEqual(both.map(({ json }) => json.products.length).toSorted(), [0, 2])
    assert.equal((await portaria('endpoint list --json')).json.length, 3)
  })
})
