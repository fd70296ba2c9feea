import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { createAdminToken, disableUser, findUser, setUser } from '../../server/src/admin/index.ts'
import { gatewayHealthStore } from '../../server/src/gateways/index.ts'
import { addProvider } from '../../server/src/identity-providers/index.ts'
import { DAY_MS, newId } from '../../server/src/kit/index.ts'
import { manageSigningKeys } from '../../server/src/sessions/index.ts'
import { setPlan } from '../../server/src/subscriptions/index.ts'
import { PASSWORD, type TestService } from '../../server/test/support/service.ts'
import { giveRole } from '../../server/test/support/users/admins.ts'
import { cpfOf, giveTaxId } from '../../server/test/support/users/tax-ids.ts'
import { connectApp } from './console-app.ts'
import { openClube, type Sales, sales } from './console-sales.ts'
import { ago, NOW, REGULAR, type ScheduledEvent } from './scheduled-event.ts'

const OPENED_DAYS_AGO = 34

export const OWNER = 'marta.nogueira@exemplo.com.br'
const SUPPORT = 'rafael.tavares@exemplo.com.br'
const VIEWER = 'julia.antunes@exemplo.com.br'

/** Name, address, and how many days they have been there. */
const users = [
  ['Marta Regina Nogueira', OWNER, 33],
  ['Rafael Tavares', SUPPORT, 32],
  ['Júlia Antunes', VIEWER, 31],
  ['Beatriz Conceição de Souza', REGULAR, 30],
  ['Caio Lima', 'caio.lima@exemplo.com.br', 29],
  ['João Joaquim Nabuco de Araújo', 'joao.nabuco@exemplo.com.br', 28],
  ['Iara Guimarães', 'iara.guimaraes@exemplo.com.br', 25],
  ['Davi Nogueira Prado', 'davi.prado@exemplo.com.br', 25],
  ['Fernanda Aquino', 'fernanda.aquino@exemplo.com.br', 22],
  ['Luiz Otávio Cabral', 'luiz.cabral@exemplo.com.br', 21],
  ['Ana Flávia Ramos', 'ana.flavia@exemplo.com.br', 19],
  ['Tiago Moreira', 'tiago.moreira@exemplo.com.br', 17],
  ['Clara Machado', 'clara.machado@exemplo.com.br', 16],
  ['Pedro de Holanda', 'pedro.holanda@exemplo.com.br', 14],
  ['Sônia Bragança', 'sonia.braganca@exemplo.com.br', 13],
  ['Otto Carneiro', 'otto.carneiro@exemplo.com.br', 11],
  ['Lívia Campos', 'livia.campos@exemplo.com.br', 10],
  ['Marcos Teles', 'marcos.teles@exemplo.com.br', 8],
  ['Helena Dias Ferreira', 'helena.dias@exemplo.com.br', 6],
  ['Igor Pacheco', 'igor.pacheco@exemplo.com.br', 5],
  ['Nair Belmonte', 'nair.belmonte@exemplo.com.br', 3],
  ['Vítor Sampaio', 'vitor.sampaio@exemplo.com.br', 2],
  ['Rosa Quintana', 'rosa.quintana@exemplo.com.br', 1],
] as const

const devices = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.1 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
]

/** Puts the clock of the whole process where the shop opens: ids are made in the order of time, so nothing may have made one before. */
export function beginInThePast(): void {
  mock.timers.enable({ apis: ['Date'], now: ago(OPENED_DAYS_AGO) })
}

/**
 * A month of a small Brazilian shop, for pictures of the console: what comes in does so through the service's own doors, at the time at
 * which it would have come. Answers the product that sells; its `close` ends what played the gateway's API.
 */
export async function fillShop(service: TestService): Promise<Sales> {
  const clube = await openClube(service)
  await connectOthers(service)
  const events = [...nights(service), ...arrivals(service), ...signIns(service), ...sales(service, clube), ...actions(service)]
  for (const { at, happen } of events.toSorted((one, other) => one.at - other.at)) {
    goTo(service, at)
    await happen()
  }
  goTo(service, NOW)
  const closeApp = await connectApp(service, { slug: 'clube', productId: clube.productId })
  await beginAlone(service)
  await service.flushLastSeen()
  await service.writeFailedSignIns()
  await gatewayHealthStore(service.context.storage.db).noteDelivery('mercadopago', clube.productId, ago(9))
  return closedBy(clube, closeApp)
}

/**
 * The same shop, with no sign-ins but two that were refused, for pages that are judged and not shown: nothing but the clock is moved. Rows
 * that were made at another time than their ids say do no harm.
 */
export async function fillSmallShop(service: TestService): Promise<Sales> {
  const clube = await openClube(service)
  await connectOthers(service)
  const events = [...arrivals(service), ...sales(service, clube), ...actions(service)]
  for (const { at, happen } of events.toSorted((one, other) => one.at - other.at)) {
    service.clock.now = at
    await happen()
  }
  service.clock.now = NOW
  for (const email of [users[0]?.[1] ?? '', 'ninguem@exemplo.com.br'])
    await service.browser().signIn('/login', { email, password: 'esqueci qual era' })
  await service.writeFailedSignIns()
  const closeApp = await connectApp(service, { slug: 'clube', productId: clube.productId })
  return closedBy(clube, closeApp)
}

function closedBy(clube: Sales, closeApp: () => void): Sales {
  const close = () => {
    clube.close()
    closeApp()
  }
  return { ...clube, close }
}

/** Users made their accounts themselves: no operator did. */
async function beginAlone({ context }: TestService): Promise<void> {
  const { db } = context.storage
  await db.deleteFrom('audit').where('action', '=', 'user.create').execute()
  await db.updateTable('audit').set({ actor: 'operator:cli' }).where('actor', '=', 'operator:test').execute()
}

function goTo({ clock }: TestService, at: number): void {
  mock.timers.setTime(at)
  clock.now = at
}

/** The service's own actions. */
function nights(service: TestService): ScheduledEvent[] {
  return Array.from({ length: OPENED_DAYS_AGO }, (_, day) => ({
    at: ago(day, 15),
    async happen() {
      await manageSigningKeys({ ...service.context, actor: 'system' })
      await service.writeFailedSignIns()
    },
  }))
}

/** Other apps than the one that sells, and where users sign in through. */
async function connectOthers(service: TestService): Promise<void> {
  const operator = { ...service.context, actor: 'operator:cli' }
  await service.product({ slug: 'painel', name: 'Painel do Produtor', uris: ['https://painel.exemplo.com.br/auth/callback'] })
  const radio = { slug: 'radio', name: 'Rádio Aurora', audience: 'external', checkout: 'external' } as const
  await service.product({ ...radio, uris: ['https://radio.exemplo.com.br/auth/callback'] })
  for (const [id, name, issuer, domain] of [
    ['google', 'Google', 'https://accounts.google.com', 'gmail.com'],
    ['universidade', 'Universidade Aurora', 'https://id.universidade.example', 'universidade.example'],
  ] as const) {
    const client = { clientId: `portaria-${id}`, clientSecret: 'a-secret-of-the-shop', accessTokenAudience: undefined }
    await addProvider({ id, name, issuer, authoritativeFor: [domain], ...client }, operator)
  }
}

function arrivals(service: TestService): ScheduledEvent[] {
  return users.map(([name, email, days], n) => ({
    at: ago(days, 4),
    async happen() {
      const { id } = await service.user(email, { name, beta: n % 6 === 3, profile: 'missing' })
      if (n % 7 !== 6) await giveTaxId(service.context, id, cpfOf(n))
    },
  }))
}

/** Each user comes every few days, and now and then forgets the password. */
function signIns(service: TestService): ScheduledEvent[] {
  const browsers = new Map<string, ReturnType<TestService['browser']>>()
  const enter = (email: string, n: number, password: string) => {
    const device = n % devices.length
    const headers = { 'user-agent': devices[device] ?? '', 'x-forwarded-for': `187.45.${n % 40}.${20 + n}` }
    const browser = browsers.get(`${email} ${device}`) ?? service.browser(headers)
    browsers.set(`${email} ${device}`, browser)
    for (const name of browser.cookies.keys()) if (!name.includes('device')) browser.cookies.delete(name)
    return browser.signIn('/login', { email, password })
  }
  return users.flatMap(([, email, since], n) =>
    Array.from({ length: since }, (_, day) => day).flatMap((day) => [
      ...((day * 5 + n * 3) % 4 === 0
        ? [{ at: ago(day, 1 + ((n * 7 + day) % 3)), happen: () => enter(email, n + (day % 2), PASSWORD) }]
        : []),
      ...((day + n) % 9 === 4 ? [{ at: ago(day, 3.5), happen: () => enter(email, n, 'esqueci qual era') }] : []),
    ]),
  )
}

/** Actions of the three administrators, and a mail that never left. */
function actions(service: TestService): ScheduledEvent[] {
  const { context } = service
  const { db } = context.storage
  const find = async (email: string) => (await findUser(db, email)) ?? assert.fail(email)
  const by = async (email: string, reason?: string) => ({
    ...context,
    actor: { name: `user:${(await find(email)).id}`, ip: '187.45.12.20', ...(reason !== undefined && { reason }) },
  })
  const nightly = { name: 'Conferência noturna', role: 'support', expiresDays: 30 } as const
  const report = { name: 'Relatório do mês', role: 'viewer', scopes: [], expiresDays: undefined } as const
  const improved = { isProducer: true, companyName: 'Souza Editora', rankName: 'Ouro' }
  const raised = { slug: 'clube-anual', name: 'Clube anual', price: 39_900, productSlug: 'clube' }
  return [
    { at: ago(32), happen: () => giveRole(service, OWNER, 'owner') },
    { at: ago(31), happen: () => giveRole(service, SUPPORT, 'support') },
    { at: ago(30), happen: () => giveRole(service, VIEWER, 'viewer') },
    {
      at: ago(24, 5),
      happen: async () => createAdminToken({ ...nightly, scopes: ['users:read', 'subscriptions:read', 'webhooks:test'] }, await by(OWNER)),
    },
    { at: ago(20, 5), happen: async () => createAdminToken(report, await by(OWNER)) },
    { at: ago(16, 5), happen: async () => setUser(await find(REGULAR), improved, await by(SUPPORT, 'Pediu por telefone, protocolo 2031')) },
    { at: ago(12, 6), happen: async () => guard(service, [(await find(REGULAR)).id, (await find(SUPPORT)).id]) },
    { at: ago(5, 4), happen: async () => setPlan(raised, await by(OWNER)) },
    {
      at: ago(2, 5),
      happen: async () => disableUser(await find('otto.carneiro@exemplo.com.br'), 'Ligou: celular roubado', await by(SUPPORT)),
    },
    { at: ago(1, 6), happen: () => giveUp(service, 'mail', 'connect ETIMEDOUT 203.0.113.25:587') },
  ]
}

/** They turned on a second step and added a passkey. */
async function guard({ context, clock }: TestService, userIds: readonly string[]): Promise<void> {
  const { db } = context.storage
  const made = { created_at: clock.now }
  for (const user_id of userIds) {
    await db
      .insertInto('totp_factors')
      .values({ user_id, ...made, secret_sealed: 'x', confirmed_at: clock.now, last_step: 0 })
      .execute()
    const device = { name: 'iPhone', public_key: 'x', counter: 0, transports: '[]', is_backed_up: 1, last_used_at: null }
    await db
      .insertInto('passkeys')
      .values({ id: newId(), user_id, ...made, ...device })
      .execute()
  }
}

/** A job that was tried for a day, in vain. */
async function giveUp({ context, clock }: TestService, kind: string, fault: string): Promise<void> {
  const tried = { attempts: 12, run_at: clock.now, created_at: clock.now - DAY_MS, dead_at: clock.now, last_error: fault }
  const job = { id: newId(), kind, payload_sealed: 'sealed', leased_until: null, lane: null, ...tried }
  await context.storage.db.insertInto('outbox').values(job).execute()
}
