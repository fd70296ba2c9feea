// `npm run demo`: the service, an internal and an external app, one that speaks OpenID Connect, a user who may sign in, and an
// administrator for the console. Everything is new at each start and gone at its end.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createUser } from '../server/src/admin/index.ts'
import { type Environment, readConfig } from '../server/src/config.ts'
import { type AppContext, openContext } from '../server/src/context.ts'
import { serve } from '../server/src/main.ts'
import { changeProduct, createProduct, type NewProduct, type ProductCreated } from '../server/src/products/index.ts'
import { freePort } from '../server/test/support/free-port.ts'
import { buildConsoleIfPossible } from './build/console.ts'

/** The profile is left to be completed, since that is what a user's first visit looks like; this CPF passes its check digits. */
const ana = {
  name: 'Ana Flávia Conceição',
  email: 'ana@example.com',
  password: 'gatehouse',
  cpf: '529.982.247-25',
  phone: '(11) 98765-4321',
}

const owner = { name: 'Dona Célia Ribeiro', email: 'owner@example.com', password: ana.password }

const start = process.cwd()
const folder = mkdtempSync(path.join(tmpdir(), 'portaria-demo-'))
// Mails are files below the folder in which the service runs: they go with everything else.
process.chdir(folder)
process.once('exit', () => {
  process.chdir(start)
  rmSync(folder, { recursive: true, force: true })
})

const ports = {
  service: await servicePort(process.env.PORT),
  painel: await freePort(4001),
  livraria: await freePort(4002),
  biblioteca: await freePort(4003),
}
const urls = {
  service: `http://localhost:${ports.service}`,
  painel: `http://localhost:${ports.painel}`,
  livraria: `http://127.0.0.1:${ports.livraria}`,
  biblioteca: `http://127.0.0.1:${ports.biblioteca}`,
}
const environment = {
  PORT: String(ports.service),
  HOST: 'localhost',
  PORTARIA_LOG_LEVEL: 'warn',
  PORTARIA_MASTER_KEY: randomBytes(32).toString('base64'),
  DATABASE_URL: `sqlite:${path.join(folder, 'portaria.db')}`,
}

/** That of `PORT`, or one that is free: 3000 first. */
async function servicePort(wanted: string | undefined): Promise<number> {
  if (wanted === undefined || wanted === '') return freePort(3000)
  const port = /^\d{1,5}$/.test(wanted) ? Number(wanted) : 0
  const fault = port < 1 || port > 65_535 ? 'expects a port, 1 to 65535' : (await freePort(port)) === port ? undefined : `${port} is in use`
  if (fault === undefined) return port
  console.error(`PORT: ${fault}`)
  process.exit(1)
}

await buildConsoleIfPossible()
const { livraria, biblioteca } = await furnish(environment)
await startApp('internal', { PORT: String(ports.painel) })
await startApp('external', {
  PORT: String(ports.livraria),
  PRODUCT_ID: livraria.product.id,
  PUBLISHABLE_KEY: livraria.product.publishableKey,
  API_KEY: livraria.apiKey,
})
await startApp('openid', {
  PORT: String(ports.biblioteca),
  CLIENT_ID: biblioteca.product.publishableKey,
  CLIENT_SECRET: biblioteca.apiKey,
})
const code = await serve(environment)
if (code === 0) console.log(invitation())
else process.exit(code)

function invitation(): string {
  const address = (url: string) => url.padEnd(30)
  return `
  1  ${address(urls.painel)}Painel, an app of the family: sign in here
  2  ${address(urls.livraria)}Livraria Aurora, another company's app: no password this time, but it asks what to share
  3  ${address(urls.biblioteca)}Biblioteca, an app that speaks OpenID Connect: no password either
  4  ${address(urls.service)}Portaria: sign out here, and all three know
  5  ${address(`${urls.service}/admin`)}The console, for administrators: sign in as ${owner.email}, with the same password

  E-mail    ${ana.email}
  Password  ${ana.password}

  A first visit asks for more:
  CPF       ${ana.cpf}
  Phone     ${ana.phone}
`
}

/** Makes the database with the users and the apps, and answers those with a key, which is shown only now. */
async function furnish(environment: Environment): Promise<{ livraria: ProductCreated; biblioteca: ProductCreated }> {
  const read = await readConfig(environment)
  const masterKey = 'config' in read ? read.config.masterKey : undefined
  if (!('config' in read) || !masterKey) throw new Error(`the demo's own settings are wrong: ${JSON.stringify(read)}`)
  const context = await openContext({ ...read.config, masterKey }, { onFault: console.error })
  if ('refusal' in context) throw new Error('a new database refuses nothing')
  try {
    const given = { ...ana, role: undefined, verified: true, isProducer: false, isBeta: false }
    for (const one of [given, { ...given, ...owner, role: 'owner' as const }]) {
      const user = await createUser(one, { ...context, actor: 'operator:demo' })
      if ('refusal' in user) throw new Error(`the demo's user was refused: ${user.refusal}`)
    }
    await register(context, {
      slug: 'painel',
      name: 'Painel',
      audience: 'internal',
      checkout: 'integrated',
      uri: `${urls.painel}/callback`,
    })
    const livraria = { slug: 'livraria', name: 'Livraria Aurora', audience: 'external', checkout: 'external' } as const
    const biblioteca = { slug: 'biblioteca', name: 'Biblioteca', audience: 'internal', checkout: 'integrated' } as const
    return {
      livraria: await register(context, { ...livraria, uri: `${urls.livraria}/callback` }),
      biblioteca: await registerOpenId(context, { ...biblioteca, uri: `${urls.biblioteca}/callback` }),
    }
  } finally {
    await context.close()
  }
}

async function register(
  context: AppContext,
  { uri, ...product }: Pick<NewProduct, 'slug' | 'name' | 'audience' | 'checkout'> & { uri: string },
): Promise<ProductCreated> {
  const rest = { scopes: ['read:email', 'read:profile'], queryKeyAllowed: false } as const
  const handoff = product.audience === 'external' ? 'eg_token' : 'eg_session'
  const made = await createProduct(
    { ...product, ...rest, handoff, redirectUris: [{ uri, trusted: false }] },
    { ...context, actor: 'operator:demo' },
  )
  if ('refusal' in made) throw new Error(`the demo's app was refused: ${made.refusal}`)
  return made
}

/** The same for an app that speaks OpenID Connect and is notified of sign-outs. */
async function registerOpenId(context: AppContext, given: Parameters<typeof register>[1]): Promise<ProductCreated> {
  const made = await register(context, given)
  const app = new URL(given.uri).origin
  const change = { openid: { kind: 'web', postLogoutUris: [`${app}/`] }, backchannelLogoutUri: `${app}/backchannel-logout` } as const
  const changed = await changeProduct(given.slug, change, { ...context, actor: 'operator:demo' })
  if ('refusal' in changed) throw new Error(`the demo's app was refused: ${changed.refusal}`)
  return made
}

async function startApp(name: 'internal' | 'external' | 'openid', settings: Record<string, string>): Promise<void> {
  const file = fileURLToPath(new URL(`../examples/${name}/app.js`, import.meta.url))
  const app = spawn(process.execPath, [file], {
    env: { ...process.env, PORTARIA_URL: urls.service, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => app.kill())
  await Promise.race([once(app.stdout, 'data'), once(app, 'exit').then(() => Promise.reject(new Error(`the ${name} app did not start`)))])
}
