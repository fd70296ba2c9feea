import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { wantPng, wantSvg } from '../../../test/support/routes/brand-files.ts'

/** The part of JSON Schema in which the form is published. */
interface Form {
  type?: string
  anyOf?: Form[]
  properties?: Record<string, Form>
  additionalProperties?: Form | false
  propertyNames?: { enum?: string[] }
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8'))

/** Of the file itself, or a secret: no export has them. */
const NOT_EXPORTED = ['managed_by', 'products.*.endpoints.*.secret', 'endpoints.*.secret']
/** Where a secret stands is the reader's own matter: an export names a variable. */
const WRITTEN_ANEW = ['identity_providers.*.client_secret']

/** Nothing is set but what a thing can't be without. */
const LEAST = {
  portaria: 1,
  products: {
    inner: { audience: 'internal', checkout: 'integrated' },
    outer: {
      audience: 'external',
      checkout: 'external',
      plans: { gold: { name: 'G', price: 1 } },
      endpoints: { crm: { url: 'https://crm.example/', types: ['access.granted'] } },
    },
  },
  plans: { club: { name: 'C', price: 1 } },
  identity_providers: { casa: { issuer: 'https://casa.example', client_id: 'um', client_secret: { env: 'IDP_CASA_CLIENT_SECRET' } } },
  endpoints: { ops: { url: 'https://ops.example/', types: ['access.granted'] } },
}

const look = (name: string, accent: string) => ({
  name,
  accent,
  logo_light: { file: 'logo.svg' },
  logo_dark: { file: 'dark.png' },
  favicon: { file: 'icon.svg' },
  touch_icon: { file: 'touch.png' },
  sender_name: `${name} por e-mail`,
  reply_to: 'respostas@cursos.example',
  support_url: 'mailto:ajuda@cursos.example',
  terms_url: 'https://cursos.example/termos',
  privacy_url: 'https://cursos.example/privacidade',
  footer: `${name} Ltda`,
})

const plan = (name: string, ref: string) => ({
  name,
  price: 2_990,
  below_price: 'hold',
  gateway_refs: { asaas: [ref], mercadopago: [ref], pagarme: [ref], stripe: [ref] },
})

/** Every setting, each with a value that is not its default. */
const EVERYTHING = {
  portaria: 1,
  managed_by: 'prova',
  appearance: look('Cursos do João', '#1a4fd6'),
  reports: { time_zone: 'America/Manaus' },
  products: {
    inner: {
      name: 'Por dentro',
      audience: 'internal',
      handoff: 'eg_token',
      checkout: 'integrated',
      openid: {
        kind: 'browser',
        pkce: 'required',
        id_token_alg: 'ES256',
        post_logout_uris: ['https://inner.example.com/out'],
        resources: ['https://api.example.com/'],
      },
      forward_auth: { access: 'plans', plans: ['club'], hosts: ['inner.example.com'] },
      payment_methods: { boleto: 'asaas', card: 'stripe', pix: 'mercadopago' },
      grace_days: { boleto: 11, card: 12, pix: 13 },
    },
    outer: {
      name: 'Por fora',
      audience: 'external',
      checkout: 'integrated',
      scopes: ['read:email'],
      requires: ['phone'],
      foreigners: 'exempt',
      query_key_allowed: false,
      redirect_uris: [{ uri: 'https://outer.example/cb', trusted: true }],
      backchannel_logout_uri: 'https://outer.example/logout',
      plans: { gold: plan('Ouro', 'price_1') },
      endpoints: { crm: { url: 'https://crm.example/hooks', types: ['access.revoked'], description: 'CRM', secret: { env: 'WHSEC' } } },
      appearance: look('Escola', '#8a1538'),
    },
  },
  plans: { club: plan('Clube', 'price_2') },
  identity_providers: {
    casa: {
      name: 'Casa',
      kind: 'github',
      issuer: 'https://git.example',
      client_id: 'dois',
      client_secret: { env: 'IDP_CASA_CLIENT_SECRET' },
      authoritative_for: ['casa.example'],
      access_token_audience: 'https://api.example.com',
    },
  },
  endpoints: { ops: { url: 'https://ops.example/hooks', types: ['endpoint.disabled'], description: 'Ops', secret: { env: 'WHSEC' } } },
}

/** The settings of the form: their paths, with `*` for a name of the operator's own. */
function settingsOf(form: Form, at: string[] = []): string[] {
  const kinds = form.anyOf?.filter(({ type }) => type !== 'null') ?? [form]
  const [only] = kinds
  if (kinds.length !== 1 || only?.type !== 'object') return [at.join('.')]
  if (only.properties && Object.keys(only.properties).join() === 'file') return [at.join('.')]
  const named = Object.entries(only.properties ?? {}).flatMap(([name, inner]) => settingsOf(inner, [...at, name]))
  const { additionalProperties: each, propertyNames } = only
  return each ? [...named, ...(propertyNames?.enum ?? ['*']).flatMap((name) => settingsOf(each, [...at, name]))] : named
}

/** The values of a file at a setting, by the path without `*`. */
function valuesAt(file: unknown, setting: string): Array<[string, unknown]> {
  let found: Array<[string[], unknown]> = [[[], file]]
  for (const step of setting.split('.'))
    found = found.flatMap(([at, value]) => {
      if (typeof value !== 'object' || value === null) return []
      const names = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : []
      return names.map((name): [string[], unknown] => [[...at, name], (value as Record<string, unknown>)[name]])
    })
  return found.map(([at, value]) => [at.join('.'), value])
}

const settings = settingsOf(read('settings.schema.json'))

it('A new setting of the form is set by these tests, or they say so', () => {
  assert.ok(settings.length > 60 && settings.includes('products.*.plans.*.gateway_refs.stripe'))
  assert.deepEqual(
    settings.filter((setting) => valuesAt(EVERYTHING, setting).length === 0),
    [],
    'give it a value in EVERYTHING',
  )
  const planted = { type: 'object', properties: { plans: { anyOf: [{ type: 'null' }, { type: 'object', properties: { colour: {} } }] } } }
  assert.deepEqual(settingsOf(planted), ['plans.colour'])
  assert.deepEqual(valuesAt(EVERYTHING, 'plans.colour'), [])
})

it('A new setting of the admin API is a setting of the form, or stands here with a reason', () => {
  const { paths } = read('openapi.json')
  const operations = {
    'PATCH /products/{id}': 'products.*',
    'PATCH /products/{id}/appearance': 'products.*.appearance',
    'PATCH /plans/{id}': 'plans.*',
    'POST /identity-providers': 'identity_providers.*',
    'PATCH /endpoints/{id}': 'endpoints.*',
    'PATCH /appearance': 'appearance',
    'PUT /reports/time-zone': 'reports',
  }
  const others = ['reason', 'id'] // why it is changed, and the name under which it stands in the file
  for (const [operation, at] of Object.entries(operations)) {
    const [method = '', below = ''] = operation.split(' ')
    const { schema } = paths[`/api/admin${below}`][method.toLowerCase()].requestBody.content['application/json']
    const fields = Object.keys(schema.properties).filter((field) => !others.includes(field))
    assert.ok(fields.length > 0, operation)
    for (const field of fields)
      assert.ok(
        settings.some((setting) => setting === `${at}.${field}` || setting.startsWith(`${at}.${field}.`)),
        `${operation}: ${field} has no place in a file of settings`,
      )
  }
})

eachDatabase('Every setting of the published form', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-every-setting-'))
  after(() => rmSync(folder, { recursive: true }))
  const environment = {
    PORTARIA_MASTER_KEY: MASTER_KEY,
    PORTARIA_URL: 'https://sso.example.com',
    PORTARIA_COOKIE_DOMAIN: 'example.com',
    PORTARIA_EXPERIMENTS: 'pagarme',
    IDP_CASA_CLIENT_SECRET: 'a-client-secret-that-nobody-sees',
    WHSEC: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
  }

  /** Applies a file to an empty installation, and exports it with its images into a folder. */
  const through = async (file: string, name: string) => {
    const portaria = commandLine(await database.fresh(), environment)
    const applied = await portaria(['apply', file])
    assert.equal(applied.code, 0, applied.err)
    const beside = path.join(folder, name)
    const { out } = await portaria(['export', 'config', '--images', beside])
    writeFileSync(path.join(beside, 'portaria.yaml'), out)
    const { json } = await portaria('export config --json')
    return { out, json, file: path.join(beside, 'portaria.yaml'), images: () => readdirSync(beside).sort() }
  }
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(folder, name), content)
    return path.join(folder, name)
  }

  it('goes through an export and an empty installation, and comes out again byte for byte, with its images', async () => {
    write('logo.svg', wantSvg())
    write('dark.png', wantPng(40, 20))
    write('icon.svg', wantSvg({ width: 32, height: 32 }))
    write('touch.png', wantPng(180, 180))
    const least = await through(write('least.yaml', JSON.stringify(LEAST)), 'least')
    const one = await through(write('everything.yaml', JSON.stringify(EVERYTHING)), 'one')
    const two = await through(one.file, 'two')
    assert.equal(two.out, one.out)
    assert.deepEqual(two.images(), one.images())
    for (const image of one.images())
      assert.deepEqual(readFileSync(path.join(folder, 'two', image)), readFileSync(path.join(folder, 'one', image)), image)

    for (const setting of settings.filter((one) => !NOT_EXPORTED.includes(one) && !WRITTEN_ANEW.includes(one)))
      for (const [at, declared] of valuesAt(EVERYTHING, setting)) {
        const exported = valuesAt(one.json, at)[0]?.[1]
        const isFile = typeof declared === 'object' && declared !== null && 'file' in declared
        if (isFile) assert.match(JSON.stringify(exported), /^\{"file":"[0-9a-f]{32}\.(svg|png)"\}$/, at)
        else assert.deepEqual(exported, declared, `${at} comes out as it went in`)
        const usual = valuesAt(LEAST, at).length > 0 ? undefined : valuesAt(least.json, at)[0]?.[1]
        assert.notDeepEqual(declared, usual, `${at}: this is its default, so nothing shows that it is carried`)
      }
  })
})
