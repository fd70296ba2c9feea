import { newId } from '../../server/src/kit/index.ts'
import { changePicture, currentNda, parsePicture, userStore } from '../../server/src/users/index.ts'
import { wantPng } from '../../server/test/support/routes/brand-files.ts'
import { enterAtOnce, goTo, openTicket, type PageFixture, press } from './page-fixture.ts'

const DAY_MS = 86_400_000

/** The pages of one's own account, full and empty, and what they say when something is wrong. */
export const myAccountPages: Readonly<Record<string, (fixture: PageFixture) => Promise<unknown>>> = {
  'account-full': async (fixture) => {
    await fillAccount(fixture)
    await goTo(fixture, '/account')
  },
  'own-profile': async (fixture) => {
    await fillAccount(fixture)
    await goTo(fixture, '/account/profile')
  },
  'own-profile-errors': async (fixture) => {
    const { tab, labels } = fixture
    await openOwn(fixture, '/account/profile')
    await tab.getByLabel(labels.profile.fullName).fill('')
    await tab.locator('[name=phone]').fill('123')
    await press(tab, labels.ownProfile.submit, 'alert', labels.fixFields)
  },
  'own-profile-two-tabs': async (fixture) => {
    const { tab, labels, harness } = fixture
    const { id } = await enterOwn(fixture)
    await goTo(fixture, '/account/profile')
    await harness.service.context.storage.db.updateTable('users_company').set({ name: 'Ana Souza' }).where('user_id', '=', id).execute()
    await tab.getByLabel(labels.profile.fullName).fill('Ana F. Conceição')
    await press(tab, labels.ownProfile.submit, 'alert', labels.ownProfile.changedMeanwhile)
  },
  'own-profile-not-png': async (fixture) => {
    const { tab, labels } = fixture
    await openOwn(fixture, '/account/profile')
    await tab.locator('[name=picture]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') })
    await press(tab, labels.ownProfile.sendPicture, 'alert', labels.fixFields)
  },
  'own-tax-id': async (fixture) => {
    await fillAccount(fixture)
    await goTo(fixture, '/account/tax-id')
  },
  'own-tax-id-error': async (fixture) => {
    const { tab, labels } = fixture
    await openOwn(fixture, '/account/tax-id')
    await tab.locator('[name=tax_id]').fill('123')
    await press(tab, labels.ownTaxId.submit, 'alert', labels.fixFields)
  },
  'own-tax-id-corrected': async (fixture) => {
    const { id } = await fillAccount(fixture)
    const { db } = fixture.harness.service.context.storage
    await db
      .updateTable('users_company')
      .set({ tax_id_corrected_at: Date.UTC(2026, 10, 20, 12) })
      .where('user_id', '=', id)
      .execute()
    await goTo(fixture, '/account/tax-id')
  },
  'own-sessions': async (fixture) => {
    const { id } = await enterOwn(fixture)
    const { db } = fixture.harness.service.context.storage
    const here = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    const user_agent = 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0'
    const others = Array.from({ length: 11 }, (_, n) => ({
      ...here,
      id: newId(),
      bound_hash: null,
      ip: '2001:db8:85a3:8d31:1319:8a2e:3701:7348',
      user_agent: n === 0 ? '' : user_agent,
    }))
    await db.insertInto('sessions').values(others).execute()
    await goTo(fixture, '/account/sessions')
  },
  'own-purchases': async (fixture) => {
    const { id, email } = await enterOwn(fixture)
    await sell(fixture, id, email)
    await goTo(fixture, '/account/purchases')
  },
  'own-purchases-none': (fixture) => openOwn(fixture, '/account/purchases'),
  'own-consents': async (fixture) => {
    const { id } = await enterOwn(fixture)
    const { db } = fixture.harness.service.context.storage
    const ip = '2001:db8:85a3:8d31:1319:8a2e:3701:7348'
    const nda = { nda_accepted_at: Date.UTC(2026, 10, 20, 12), nda_ip: ip, nda_user_agent: '', nda_version: currentNda.version }
    const product = await db.selectFrom('products').select('id').where('slug', '=', 'livraria').executeTakeFirstOrThrow()
    await db
      .insertInto('beta_users')
      .values({ user_id: id, created_at: 1, ...nda, nda_text_hash: currentNda.textHash })
      .execute()
    const sharing = { scopes: 'read:email read:profile', granted_at: Date.UTC(2026, 10, 20, 12), ip, user_agent: '' }
    await db
      .insertInto('consents')
      .values({ user_id: id, product_id: product.id, ...sharing })
      .execute()
    await goTo(fixture, '/account/consents')
    await fixture.tab.getByText(fixture.labels.ownConsents.readText).click()
  },
  'own-consents-none': (fixture) => openOwn(fixture, '/account/consents'),
  'own-language': (fixture) => openOwn(fixture, '/account/language'),
  'own-language-saved': async (fixture) => {
    await openOwn(fixture, '/account/language')
    await fixture.tab.getByRole('button', { name: fixture.labels.ownLanguage.submit }).click()
    await fixture.tab.getByRole('status').waitFor()
  },
  'own-providers': async (fixture) => {
    const { id } = await enterOwn(fixture)
    const tie = { issuer: 'https://login.universidade-federal.exemplo.com.br', subject: id, email: 'ana@exemplo.com.br' }
    await fixture.harness.service.context.storage.db
      .insertInto('identities')
      .values({ ...tie, user_id: id, created_at: Date.UTC(2026, 10, 20, 12) })
      .execute()
    await goTo(fixture, '/account/providers')
  },
  'own-data': (fixture) => openOwn(fixture, '/account/data'),
  'own-delete': (fixture) => openOwn(fixture, '/account/delete'),
  'own-delete-mismatch': async (fixture) => {
    const { tab, labels } = fixture
    await openOwn(fixture, '/account/delete')
    await tab.getByLabel(labels.ownDelete.typeAddress).fill('outra@exemplo.com.br')
    await press(tab, labels.ownDelete.submit, 'alert', labels.ownDelete.mismatch)
  },
  'own-delete-done': async (fixture) => {
    const { tab, labels } = fixture
    const { email } = await enterOwn(fixture)
    await goTo(fixture, '/account/delete')
    await tab.getByLabel(labels.ownDelete.typeAddress).fill(email)
    await press(tab, labels.ownDelete.submit, 'heading', labels.ownDelete.doneTitle)
  },
  'login-while-leaving': async (fixture) => {
    const { tab, harness, labels } = fixture
    const { email } = await enterOwn(fixture)
    await goTo(fixture, '/account/delete')
    await tab.getByLabel(labels.ownDelete.typeAddress).fill(email)
    await press(tab, labels.ownDelete.submit, 'heading', labels.ownDelete.doneTitle)
    await tab.goto(`${harness.service.url}/login`)
    await tab.getByLabel(labels.login.email, { exact: true }).fill(email)
    await tab.getByLabel(labels.login.password, { exact: true }).fill('correct horse battery')
    await press(tab, labels.login.submit, 'alert', labels.login.notices.deletion_pending.title())
  },
  'undo-deletion': (fixture) => openTicket(fixture, 'undo_deletion', '/undo-deletion'),
  'undo-deletion-done': async (fixture) => {
    const owner = await enterOwn(fixture)
    const { db } = fixture.harness.service.context.storage
    const at = fixture.harness.service.clock.now
    await db
      .insertInto('deletion_requests')
      .values({ user_id: owner.id, requested_at: at, due_at: at + 7 * DAY_MS })
      .execute()
    await openTicket(fixture, 'undo_deletion', '/undo-deletion', { owner })
    await press(fixture.tab, fixture.labels.undoDeletion.submit, 'heading', fixture.labels.undoDeletion.doneTitle)
  },
}

/** A user with everything: picture, tax id, company, apps with and without a logo, two passkeys. */
async function fillAccount(fixture: PageFixture): Promise<{ id: string; email: string }> {
  const user = await enterOwn(fixture)
  const { storage, sealer, changes, now, config } = fixture.harness.service.context
  const { db } = storage
  const picture = parsePicture(wantPng(256, 256, [196, 120, 80]))
  if ('refusal' in picture) throw new Error(picture.refusal)
  await changes.transaction(async (tx, announce) => {
    const known = await userStore(tx).findById(user.id)
    if (known) await changePicture(tx, known, picture, { announce, at: now(), baseUrl: config.baseUrl, ip: '' })
  })
  const company = { phone: '+5511912345678', company_name: 'Padaria Conceição & Filhos', tax_id_kind: 'cpf' }
  const tax_id_sealed = sealer.seal('52998224725', `users_company.tax_id_sealed.${user.id}`)
  await db
    .updateTable('users_company')
    .set({ ...company, tax_id_sealed })
    .where('user_id', '=', user.id)
    .execute()
  await db
    .updateTable('users')
    .set({ password_changed_at: now() - 100 * DAY_MS })
    .where('id', '=', user.id)
    .execute()
  const product_ids = await db.selectFrom('products').select('id').execute()
  for (const { id: product_id } of product_ids)
    await db
      .insertInto('consents')
      .values({ user_id: user.id, product_id, scopes: 'read:profile', granted_at: 1, ip: '', user_agent: '' })
      .execute()
  for (const id of ['a', 'b']) {
    const key = { name: 'iPhone', public_key: '', counter: 0, transports: '[]', is_backed_up: 1, created_at: 1, last_used_at: null }
    await db
      .insertInto('passkeys')
      .values({ id: `${id}-${user.id}`, user_id: user.id, ...key })
      .execute()
  }
  return user
}

function enterOwn(fixture: PageFixture): Promise<{ id: string; email: string }> {
  return enterAtOnce(fixture)
}

async function openOwn(fixture: PageFixture, path: string): Promise<void> {
  await enterOwn(fixture)
  await goTo(fixture, path)
}

/** Gives a user three subscriptions: one that runs, one in grace, and one that is over. */
async function sell({ harness }: PageFixture, userId: string, email: string): Promise<void> {
  const { db } = harness.service.context.storage
  const plan = await db.selectFrom('plans').select('id').where('slug', '=', 'easy-pro').executeTakeFirstOrThrow()
  const at = harness.service.clock.now
  const states = [
    { state: 'active', period_end: at + 20 * DAY_MS, grace_from: at + 20 * DAY_MS, access_until: at + 23 * DAY_MS },
    { state: 'past_due', period_end: at - DAY_MS, grace_from: at - DAY_MS, access_until: at + 2 * DAY_MS },
    { state: 'refunded', period_end: null, grace_from: null, access_until: 0 },
  ]
  for (const [number, state] of states.entries()) {
    const line = newId()
    await db
      .insertInto('event_streams')
      .values({ id: line, source: 'purchase', ref: line, product_id: null, buyer_forgotten_at: null, created_at: 1 })
      .execute()
    const owner = {
      email,
      email_hash: null,
      user_id: userId,
      product_user: null,
      link_closed_at: null,
      product_id: null,
      plan_id: plan.id,
    }
    const when = { changed_at: at, created_at: number === 2 ? 1_700_000_000_000 : at, method: 'pix' }
    await db
      .insertInto('subscriptions')
      .values({ id: newId(), stream_id: line, number: 0, ...owner, ...state, ...when })
      .execute()
  }
}
